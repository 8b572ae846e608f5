import type { PolicyFinding, SodPolicy } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { StateBadge } from '../policy-form/state-badge.tsx';
import { TERM_TEXTS } from '../policy-form/term-texts.ts';
import { formOf, VIOLATION_LEVELS } from '../service/policy/terms.ts';
import badge from '../ui/badge.module.css';
import { LevelBadge } from '../ui/badge.tsx';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import styles from './page.module.css';
import { POLICIES_TEXTS } from './texts.ts';

export interface CellsProps {
  readonly policy: SodPolicy;
  /** The number of open violations; undefined where it is not known. */
  readonly open: number | undefined;
  /** Those of the policy; null where no policy has any. */
  readonly findings: readonly PolicyFinding[] | null;
}

/** Where columns stand on a narrow screen. */
export const NARROW: Readonly<Record<string, NarrowPlace>> = { name: 'title', open: 'line', level: 'end' };

/** The cells of one policy. */
export function Cells({ policy, open, findings }: CellsProps) {
  const { number } = useSpeech();
  const termText = usePageTexts(TERM_TEXTS);
  const pageText = usePageTexts(POLICIES_TEXTS);
  const { id, name, level, state, ownerRef } = policy;
  const counted = open === undefined ? '–' : number(open);
  return (
    <>
      <Cell narrow="title" title={name}>
        <Link to="/policies/$id" params={{ id }} className={styles['name']}>
          {name}
        </Link>
      </Cell>
      <Cell>{state === 'ENFORCED' ? termText(state) : <StateBadge state={state} />}</Cell>
      <Cell narrow="end">
        <LevelBadge level={VIOLATION_LEVELS[level]} />
      </Cell>
      <Cell>{termText(formOf(policy))}</Cell>
      <Cell title={ownerRef?.name ?? undefined}>{ownerRef === undefined ? '–' : (ownerRef.name ?? ownerRef.id)}</Cell>
      <Cell narrow="line" label={pageText('open')} isNumber>
        {open ? (
          <Link to="/violations" search={{ policy: id, status: 'Open' }} className={styles['name']}>
            {counted}
            <span className="away"> {name}</span>
          </Link>
        ) : (
          counted
        )}
      </Cell>
      {findings !== null && <Cell>{findings.length > 0 && <Mark id={id} name={name} findings={findings} />}</Cell>}
    </>
  );
}

interface MarkProps extends Pick<SodPolicy, 'id' | 'name'> {
  readonly findings: readonly PolicyFinding[];
}

/** Leads to what lint says of a policy. */
function Mark({ id, name, findings }: MarkProps) {
  const pageText = usePageTexts(POLICIES_TEXTS);
  const errors = findings.filter(({ severity }) => severity === 'ERROR').length;
  return (
    <Link
      to="/policies/$id"
      params={{ id }}
      hash="findings"
      title={findings.map(({ text }) => text).join('\n')}
      className={`${badge['badge']} ${badge[errors > 0 ? 'critical' : 'medium']}`}
    >
      {errors > 0 ? pageText('errors', { count: errors }) : pageText('warnings', { count: findings.length })}
      <span className="away"> {name}</span>
    </Link>
  );
}
