import type { AccessRef, SodPolicy, ViolationContext, ViolationItem, ViolationPrediction } from '@access-admin/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import { policyQuery } from '../service/policy/queries.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { useSideTitle } from '../why/side-title.ts';
import { Said } from '../why/what-to-do.tsx';
import styles from './page.module.css';
import { WHAT_IF_TEXTS } from './texts.ts';

export interface AnswerProps {
  readonly prediction: ViolationPrediction;
  /** The day that was asked about; undefined for any time. */
  readonly on: string | undefined;
  readonly onDrop: (refs: readonly AccessRef[]) => void;
}

/** Whether the grant violates policies, which, and what to change. */
export function Answer({ prediction, on, onDrop }: AnswerProps) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const { violationContexts: violations, remediation } = prediction;
  if (violations.length === 0)
    return (
      <>
        <p role="status" className={`${styles['verdict']} ${styles['good']}`}>
          {pageText('none')}
        </p>
        <AskedDay on={on} />
      </>
    );
  return (
    <>
      <p role="status" className={`${styles['verdict']} ${styles['bad']}`}>
        {pageText('some', { count: violations.length })}
      </p>
      <AskedDay on={on} />
      {remediation !== undefined && <Remedies remediation={remediation} onDrop={onDrop} />}
      <ul className={styles['violations']}>
        {violations.map((context) => (
          <Violation key={context.policy.id} context={context} />
        ))}
      </ul>
    </>
  );
}

function AskedDay({ on }: Pick<AnswerProps, 'on'>) {
  const { day } = useSpeech();
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  return (
    <p className={styles['muted']}>
      {on === undefined ? pageText('asked.any') : pageText('asked.on', { day: day(`${on}T12:00`) })}
    </p>
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
        <button type="button" className="button" onClick={() => onDrop(drop.accessRefs)}>
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
  const title = useSideTitle();
  const { policy, preexisting, correctionAdvice } = context;
  const rule = useQuery(policyQuery(useApi(), policy.id)).data?.policy.conflictingAccessCriteria;
  return (
    <li className={styles['violation']}>
      <h3 dir="auto">
        <Link to="/policies/$id" params={{ id: policy.id }}>
          {policy.name}
        </Link>
      </h3>
      <p>
        <LevelBadge level={VIOLATION_LEVELS[policy.level]} />{' '}
        <span className={styles['muted']}>{pageText(preexisting ? 'deepens' : 'new')}</span>
      </p>
      {sidesOf(context, rule).map(({ name, items }, at) => (
        <div key={items.map(({ id }) => id).join()}>
          <span className={styles['muted']} dir="auto">
            {title(name, at)}
          </span>
          <ul>
            {items.map(({ id, name, existing }) => (
              <li key={id} dir="auto">
                {name} <span className={styles['muted']}>({pageText(existing ? 'held' : 'requested')})</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Said title={text('violation.fix.advice')} words={correctionAdvice ?? null} />
    </li>
  );
}

interface Side {
  readonly name: string | null;
  readonly items: readonly ViolationItem[];
}

/** The sides of a conflict. Those of a rule with two have their names from the policy, once it is read. */
function sidesOf(
  { conflictingAccessCriteria: conflict }: ViolationContext,
  rule: SodPolicy['conflictingAccessCriteria'] | undefined,
): readonly Side[] {
  if ('criteria' in conflict) return conflict.criteria.map(({ name, criteriaList }) => ({ name, items: criteriaList }));
  const sides = rule !== undefined && 'leftCriteria' in rule ? [rule.leftCriteria, rule.rightCriteria] : [];
  return [conflict.leftCriteria, conflict.rightCriteria].map(({ criteriaList: items }, at) => {
    const name = sides[at]?.name ?? null;
    return { name, items };
  });
}
