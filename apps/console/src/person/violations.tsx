import type { SodViolation } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { PersonProps } from '../service/people/props.ts';
import { SHOWN_OF_PERSON, violationsOfQuery } from '../service/people/queries.ts';
import { missingFor } from '../service/people/rights.ts';
import { LevelBadge, StatusBadge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import styles from './page.module.css';
import { PERSON_TEXTS } from './texts.ts';

/** What is wrong with the access of a person, and what was. */
export function Violations({ person, me }: PersonProps) {
  const pageText = usePageTexts(PERSON_TEXTS);
  return (
    <Card title={pageText('violations')} missing={missingFor('register', me, person.id)}>
      <Lists id={person.id} />
    </Card>
  );
}

function Lists({ id }: { readonly id: string }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(PERSON_TEXTS);
  const api = useApi();
  const present = useQuery(violationsOfQuery(api, id, true));
  const ended = useQuery(violationsOfQuery(api, id, false));
  const failed = [present, ended].find(({ isError }) => isError);
  const failure = failed !== undefined && <Failure error={failed.error} onRetry={failed.refetch} />;
  if (present.data === undefined || ended.data === undefined) return failure || <p>{text('state.loading')}</p>;
  const all = (present.data.total ?? 0) + (ended.data.total ?? 0);
  return (
    <>
      {failure}
      {present.data.items.length === 0 ? (
        <p className={styles['small']}>{pageText('violations.none')}</p>
      ) : (
        <List violations={present.data.items} />
      )}
      {ended.data.items.length > 0 && (
        <>
          <h3 className={styles['subtitle']}>{pageText('violations.ended')}</h3>
          <List violations={ended.data.items} />
        </>
      )}
      {all > 0 && (
        <p className={styles['small']}>
          <Link to="/violations" search={{ target: id }}>
            {pageText('violations.all', { count: all })}
          </Link>
        </p>
      )}
    </>
  );
}

function List({ violations }: { readonly violations: readonly SodViolation[] }) {
  const { day } = useSpeech();
  const pageText = usePageTexts(PERSON_TEXTS);
  return (
    <ul className={styles['items']}>
      {violations.slice(0, SHOWN_OF_PERSON).map(({ id, target, policy, level, status, created, closed }) => (
        <li key={id}>
          <Link to="/violations" search={{ target: target.id, open: id }} dir="auto">
            {policy.name}
          </Link>
          <span className={styles['line']}>
            <LevelBadge level={level} />
            <StatusBadge status={status} />
            <span className={styles['muted']}>
              {closed === null
                ? pageText('violations.since', { day: day(created) })
                : pageText('violations.until', { day: day(closed) })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
