import type { SodReportViolation } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { nameOf } from '../service/name-of.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { itemsOf } from '../service/policy/trial.ts';
import { LevelBadge } from '../ui/badge.tsx';
import link from '../ui/link.module.css';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import { REPORT_TEXTS } from './texts.ts';

export interface CellsProps {
  readonly line: SodReportViolation;
  readonly hasChange: boolean;
  readonly onShow: () => void;
}

/** Where columns stand on a narrow screen. */
export const NARROW: Readonly<Record<string, NarrowPlace>> = {
  person: 'title',
  level: 'mark',
  policy: 'line',
  change: 'end',
};

/** The cells of a violation in the table. */
export function Cells({ line, hasChange, onShow }: CellsProps) {
  const pageText = usePageTexts(REPORT_TEXTS);
  const { day, list } = useSpeech();
  const { change, identityId, displayName, policyId, policyName, level, exception } = line;
  const person = nameOf(identityId, displayName);
  const items = itemsOf(line)
    .filter((names) => names.length > 0)
    .map((names) => list(names))
    .join(' × ');
  return (
    <>
      <Cell narrow="title" title={person}>
        <Link to="/people/$id" params={{ id: identityId }}>
          <bdi>{person}</bdi>
        </Link>
      </Cell>
      <Cell narrow="line" title={policyName}>
        <Link to="/policies/$id" params={{ id: policyId }}>
          <bdi>{policyName}</bdi>
        </Link>
      </Cell>
      <Cell narrow="mark">
        <LevelBadge level={VIOLATION_LEVELS[level]} />
      </Cell>
      {hasChange && <Cell narrow="end">{pageText(change)}</Cell>}
      <Cell title={items}>
        <button type="button" className={link['link']} onClick={onShow}>
          <bdi>{items}</bdi>
        </button>
      </Cell>
      <Cell>{exception === null ? '–' : day(exception.end)}</Cell>
    </>
  );
}
