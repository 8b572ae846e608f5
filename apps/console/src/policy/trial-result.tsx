import type { SodReportChange, SodReportViolation } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { nameOf } from '../service/name-of.ts';
import { CHANGES, itemsOf, type Trial } from '../service/policy/trial.ts';
import styles from './trial-result.module.css';
import { TRIAL_TEXTS } from './trial-texts.ts';

export interface TrialResultProps {
  readonly trial: Trial;
  /** Whether the policy was changed since. */
  readonly isOutdated: boolean;
}

const SIGNS: Readonly<Record<SodReportChange, string>> = { new: '+', gone: '−', same: '=' };

/** Whom an edit would hit, compared with the policy that is saved. */
export function TrialResult({ trial: { counts, people, isSupposed }, isOutdated }: TrialResultProps) {
  const pageText = usePageTexts(TRIAL_TEXTS);
  const moved = (['new', 'gone'] as const).filter((change) => counts[change] > 0);
  return (
    <div className={styles['result']}>
      <div role="status">
        <p className={styles['verdict']}>
          {moved.length === 0
            ? pageText('tried.nothing')
            : moved.map((change) => pageText(`tried.verdict.${change}`, { count: counts[change] })).join(' ')}
        </p>
        <p className={styles['hint']}>{pageText('tried.basis', { count: counts.identities })}</p>
        {isSupposed && <p className={styles['hint']}>{pageText('tried.supposed')}</p>}
        {isOutdated && <p className={styles['outdated']}>{pageText('tried.outdated')}</p>}
      </div>
      {CHANGES.filter((change) => counts[change] > 0).map((change) => (
        <People key={change} change={change} count={counts[change]} people={people[change]} />
      ))}
    </div>
  );
}

interface PeopleProps {
  readonly change: SodReportChange;
  readonly count: number;
  readonly people: readonly SodReportViolation[];
}

/** How many people are listed at first. */
const FEW = 10;

function People({ change, count, people }: PeopleProps) {
  const pageText = usePageTexts(TRIAL_TEXTS);
  const [isOpen, setOpen] = useState(change !== 'same');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? people : people.slice(0, FEW);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className={styles['group']}>
      <summary>
        <h3 className={styles[change]}>
          <span aria-hidden="true">{SIGNS[change]}</span> {pageText(`tried.${change}`, { count })}
        </h3>
      </summary>
      <ul className={`${styles['people']} ${styles[change]}`}>
        {shown.map((violation) => (
          <Person key={violation.identityId} violation={violation} />
        ))}
      </ul>
      {people.length > shown.length && (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          {pageText('tried.more', { count: people.length - shown.length })}
        </button>
      )}
      {isWhole && count > people.length && (
        <p className={styles['hint']}>{pageText('tried.first', { count: people.length })}</p>
      )}
    </details>
  );
}

function Person({ violation }: { readonly violation: SodReportViolation }) {
  const pageText = usePageTexts(TRIAL_TEXTS);
  const { list, day } = useSpeech();
  const { identityId, displayName, exception } = violation;
  return (
    <li>
      <p dir="auto">
        <Link to="/people/$id" params={{ id: identityId }}>
          {nameOf(identityId, displayName)}
        </Link>
      </p>
      <p className={styles['hint']} dir="auto">
        {itemsOf(violation)
          .filter((items) => items.length > 0)
          .map((items) => list(items))
          .join(' × ')}
      </p>
      {exception !== null && <p className={styles['hint']}>{pageText('tried.covered', { day: day(exception.end) })}</p>}
    </li>
  );
}
