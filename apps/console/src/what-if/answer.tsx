import type { AccessRef, SodPolicy, ViolationContext, ViolationItem, ViolationPrediction } from '@access-admin/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import { policyQuery } from '../service/policy/queries.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import type { WhatIfSearch } from '../service/what-if-search.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Said } from '../why/said.tsx';
import { useSideTitle } from '../why/side-title.ts';
import { AsRequest } from './as-request.tsx';
import { ExceptionOffer } from './exception-offer.tsx';
import { Moments } from './moments.tsx';
import styles from './page.module.css';
import { Reserve } from './reserve.tsx';
import { WHAT_IF_TEXTS } from './texts.ts';

export interface AnswerProps {
  readonly prediction: ViolationPrediction;
  readonly search: WhatIfSearch;
  readonly onDrop: (refs: readonly AccessRef[]) => void;
}

/** Whether the grant violates policies, which, and what to change. */
export function Answer({ prediction, search, onDrop }: AnswerProps) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const { violationContexts: violations, remediation } = prediction;
  const isClean = violations.length === 0;
  return (
    <>
      <p role="status" className={`${styles['verdict']} ${styles[isClean ? 'good' : 'bad']}`}>
        {isClean ? pageText('none') : pageText('some', { count: violations.length })}
      </p>
      <Asked search={search} />
      {!isClean && remediation !== undefined && <Remedies remediation={remediation} onDrop={onDrop} />}
      <Moments search={search} />
      {!isClean && (
        <ul className={styles['violations']}>
          {violations.map((context) => (
            <Violation key={context.policy.id} context={context} person={search.person ?? ''} />
          ))}
        </ul>
      )}
      <Reserve search={search} isClean={isClean} />
      <AsRequest search={search} />
    </>
  );
}

function Asked({ search: { from, until } }: Pick<AnswerProps, 'search'>) {
  const { day } = useSpeech();
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const named = (date: string) => day(`${date}T12:00`);
  const key = `asked.${from === undefined ? 'now' : 'from'}${until === undefined ? '' : '.until'}` as const;
  return (
    <p className={styles['muted']}>
      {pageText(key, {
        ...(from !== undefined && { from: named(from) }),
        ...(until !== undefined && { until: named(until) }),
      })}
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
        <button
          type="button"
          className="button"
          onClick={({ currentTarget }) => {
            // The button goes with what it is about.
            currentTarget.closest('section')?.querySelector('h2')?.focus({ preventScroll: true });
            onDrop(drop.accessRefs);
          }}
        >
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

function Violation({ context, person }: { readonly context: ViolationContext; readonly person: string }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const title = useSideTitle();
  const { policy, preexisting, correctionAdvice } = context;
  const name = useQuery(nameQuery(useApi(), { type: 'IDENTITY', id: person })).data ?? person;
  const rule = useQuery(policyQuery(useApi(), policy.id)).data?.policy.conflictingAccessCriteria;
  return (
    <li className={styles['violation']}>
      <h3 dir="auto">
        <Link to="/policies/$id" params={{ id: policy.id }}>
          {policy.name}
        </Link>
      </h3>
      <p className={styles['level']}>
        <LevelBadge level={VIOLATION_LEVELS[policy.level]} />
        <span className={styles['muted']}>{pageText(preexisting ? 'deepens' : 'new')}</span>
      </p>
      {sidesOf(context, rule).map(({ name: side, items }, at) => (
        <div key={items.map(({ id }) => id).join()}>
          <span className={styles['muted']} dir="auto">
            {title(side, at)}
          </span>
          <ul>
            {items.map(({ id, name: item, existing, pending }) => (
              <li key={id} dir="auto">
                {item}{' '}
                <span className={styles['muted']}>
                  ({pageText(existing ? 'held' : pending === undefined ? 'requested' : 'reserved')})
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Said title={text('violation.fix.advice')} words={correctionAdvice ?? null} />
      <ExceptionOffer policy={policy} target={{ id: person, name }} isPresent={preexisting} />
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
