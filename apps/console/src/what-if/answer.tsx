import type { AccessRef, ViolationContext, ViolationItem, ViolationPrediction } from '@access-admin/client';
import { useQueries } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { LevelBadge } from '../parts/badge.tsx';
import button from '../parts/button.module.css';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import styles from './page.module.css';
import { WHAT_IF_TEXTS } from './texts.ts';

export interface AnswerProps {
  readonly prediction: ViolationPrediction;
  readonly onDrop: (refs: readonly AccessRef[]) => void;
}

/** Whether the grant violates policies, which, and what to change. */
export function Answer({ prediction, onDrop }: AnswerProps) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const { violationContexts: violations, remediation } = prediction;
  if (violations.length === 0)
    return (
      <p role="status" className={`${styles['verdict']} ${styles['good']}`}>
        {pageText('none')}
      </p>
    );
  return (
    <>
      <p role="status" className={`${styles['verdict']} ${styles['bad']}`}>
        {pageText('some', { count: violations.length })}
      </p>
      {remediation !== undefined && <Remedies remediation={remediation} onDrop={onDrop} />}
      <ul className={styles['violations']}>
        {violations.map((context) => (
          <Violation key={context.policy.id} context={context} />
        ))}
      </ul>
    </>
  );
}

interface RemediesProps {
  readonly remediation: NonNullable<ViolationPrediction['remediation']>;
  readonly onDrop: (refs: readonly AccessRef[]) => void;
}

function Remedies({ remediation: { drop, revoke }, onDrop }: RemediesProps) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const dropped = useNames(drop.accessRefs);
  const revoked = useNames(revoke?.assignments ?? []);
  return (
    <>
      <p>
        <button type="button" className={button['button']} onClick={() => onDrop(drop.accessRefs)}>
          {pageText('drop', { names: dropped })}
        </button>
      </p>
      {revoked !== '' && <p dir="auto">{pageText('revoke', { names: revoked })}</p>}
    </>
  );
}

/** The names of records, as one text. */
function useNames(refs: readonly AccessRef[]): string {
  const { list } = useSpeech();
  const api = useApi();
  const names = useQueries({ queries: refs.map((ref) => nameQuery(api, ref)) });
  return list(refs.map(({ id }, at) => names[at]?.data ?? id));
}

function Violation({ context }: { readonly context: ViolationContext }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const { policy, preexisting, correctionAdvice } = context;
  return (
    <li className={styles['violation']}>
      <h3 dir="auto">{policy.name}</h3>
      <p>
        <LevelBadge level={VIOLATION_LEVELS[policy.level]} />{' '}
        <span className={styles['muted']}>{pageText(preexisting ? 'deepens' : 'new')}</span>
      </p>
      {sidesOf(context).map((items, at) => (
        <div key={items.map(({ id }) => id).join()}>
          <span className={styles['muted']}>{text('violation.side', { count: at + 1 })}</span>
          <ul>
            {items.map(({ id, name, existing }) => (
              <li key={id} dir="auto">
                {name} <span className={styles['muted']}>({pageText(existing ? 'held' : 'requested')})</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {correctionAdvice != null && <p dir="auto">{correctionAdvice}</p>}
    </li>
  );
}

const sidesOf = ({ conflictingAccessCriteria: conflict }: ViolationContext): readonly (readonly ViolationItem[])[] =>
  'criteria' in conflict
    ? conflict.criteria.map(({ criteriaList }) => criteriaList)
    : [conflict.leftCriteria.criteriaList, conflict.rightCriteria.criteriaList];
