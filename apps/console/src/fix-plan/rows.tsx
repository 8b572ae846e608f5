import type { FixStep, SodReport } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameOf } from '../service/name-of.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { levelOf, stepStateQuery } from '../service/reports/plan.ts';
import { LevelBadge } from '../ui/badge.tsx';
import link from '../ui/link.module.css';
import { Mark } from '../ui/mark.tsx';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import styles from './plan.module.css';
import { FIX_PLAN_TEXTS } from './texts.ts';

/** The columns, by their texts. */
export const HEADS = ['checked', 'person', 'revoke', 'level', 'ends', 'loses'] as const;

/** Where columns stand on a narrow screen. */
export const NARROW: Partial<Record<(typeof HEADS)[number], NarrowPlace>> = {
  revoke: 'title',
  level: 'mark',
  person: 'line',
  checked: 'end',
};

export interface CellsProps {
  readonly report: SodReport;
  readonly step: FixStep;
  /** Whether somebody has asked what the register has of it. */
  readonly isAsked: boolean;
  readonly onShow: () => void;
}

/** The cells of a step in the table. */
export function Cells({ report, step, isAsked, onShow }: CellsProps) {
  const { text, list, number } = useSpeech();
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const { identityId, displayName, revoke, ends, alsoLoses, handedOver } = step;
  const person = nameOf(identityId, displayName);
  const level = levelOf(step);
  const ended = list(ends.map(({ policyName }) => policyName));
  const lost = list(alsoLoses.map(({ name }) => name));
  return (
    <>
      <Cell narrow={isAsked ? NARROW.checked : undefined}>
        {isAsked ? <Checked report={report} step={step} /> : '–'}
        <span aria-hidden="true" className={styles['room']}>
          {pageText('PRESENT')}
        </span>
      </Cell>
      <Cell narrow={NARROW.person} title={person}>
        <Link to="/people/$id" params={{ id: identityId }}>
          <bdi>{person}</bdi>
        </Link>
      </Cell>
      <Cell narrow={NARROW.revoke} title={`${revoke.name} (${text(`type.${revoke.type}`)})`}>
        <button type="button" className={link['link']} onClick={onShow}>
          {revoke.name}
        </button>
        {handedOver !== undefined && (
          <>
            {' '}
            <Mark>{pageText('handed-over')}</Mark>
          </>
        )}
      </Cell>
      <Cell narrow={NARROW.level}>{level !== null && <LevelBadge level={VIOLATION_LEVELS[level]} />}</Cell>
      <Cell title={ended}>{ended}</Cell>
      <Cell title={lost} isNumber>
        {alsoLoses.length === 0 ? '–' : number(alsoLoses.length)}
      </Cell>
    </>
  );
}

function Checked({ report, step }: Pick<CellsProps, 'report' | 'step'>) {
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const { data } = useQuery(stepStateQuery(useApi(), report, step));
  return data === undefined ? (
    '…'
  ) : (
    <Mark tone={TONES[data.state]}>{pageText(data.state === 'LATE' ? 'LATE.short' : data.state)}</Mark>
  );
}

/** How much a state stands out. */
export const TONES = { GONE: 'good', PRESENT: 'critical', LATE: 'plain' } as const;
