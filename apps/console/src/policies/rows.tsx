import type { PolicyFinding, SodPolicy } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { StateBadge } from '../policy-form/state-badge.tsx';
import { FORM_TEXTS } from '../policy-form/texts.ts';
import { formOf } from '../service/policy/draft.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import badge from '../ui/badge.module.css';
import { LevelBadge } from '../ui/badge.tsx';
import styles from './page.module.css';
import { POLICIES_TEXTS } from './texts.ts';

export interface CellsProps {
  readonly policy: SodPolicy;
  /** The number of open violations; undefined where it is not known. */
  readonly open: number | undefined;
  readonly findings: readonly PolicyFinding[];
}

/** The cells of one policy. */
export function Cells({ policy, open, findings }: CellsProps) {
  const { number } = useSpeech();
  const formText = usePageTexts(FORM_TEXTS);
  const { id, name, level, state, ownerRef } = policy;
  return (
    <>
      <div role="cell" dir="auto" title={name}>
        <Link to="/policies/$id" params={{ id }} className={styles['name']}>
          {name}
        </Link>
      </div>
      <div role="cell">
        <StateBadge state={state} />
      </div>
      <div role="cell">
        <LevelBadge level={VIOLATION_LEVELS[level]} />
      </div>
      <div role="cell">{formText(formOf(policy))}</div>
      <div role="cell" dir="auto" title={ownerRef?.name ?? undefined}>
        {ownerRef === undefined ? '–' : (ownerRef.name ?? ownerRef.id)}
      </div>
      <div role="cell" className={styles['number']}>
        {open === undefined ? (
          '–'
        ) : (
          <Link to="/violations" search={{ policy: id, status: 'Open' }} className={styles['name']}>
            {number(open)}
            <span className="away"> {name}</span>
          </Link>
        )}
      </div>
      <div role="cell">{findings.length > 0 && <Mark id={id} name={name} findings={findings} />}</div>
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
