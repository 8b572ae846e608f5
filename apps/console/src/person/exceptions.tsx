import type { SodException } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { PersonProps } from '../service/people/props.ts';
import { exceptionsOfQuery, policyNameQuery } from '../service/people/queries.ts';
import { missingFor } from '../service/people/rights.ts';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Mark } from '../ui/mark.tsx';
import styles from './page.module.css';
import { PERSON_TEXTS } from './texts.ts';

/** The exceptions from policies that a person has, or has had. */
export function Exceptions({ person, me }: PersonProps) {
  const pageText = usePageTexts(PERSON_TEXTS);
  return (
    <Card title={pageText('exceptions')} missing={missingFor('exceptions', me, person.id)}>
      <List id={person.id} />
    </Card>
  );
}

function List({ id }: { readonly id: string }) {
  const pageText = usePageTexts(PERSON_TEXTS);
  return (
    <Loaded query={useQuery(exceptionsOfQuery(useApi(), id))}>
      {(exceptions) =>
        exceptions.length === 0 ? (
          <p className={styles['small']}>{pageText('exceptions.none')}</p>
        ) : (
          <ul className={styles['items']}>
            {exceptions.map((exception) => (
              <One key={exception.id} exception={exception} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function One({ exception }: { readonly exception: SodException }) {
  const { day } = useSpeech();
  const pageText = usePageTexts(PERSON_TEXTS);
  const { policyId, state, start, end, justification } = exception;
  const policy = useQuery(policyNameQuery(useApi(), policyId));
  return (
    <li>
      <span dir="auto">{policy.data ?? policyId}</span>
      <span className={styles['line']}>
        <Mark>{pageText(`exception.${state}`)}</Mark>
        <span className={styles['muted']}>{pageText('window.both', { start: day(start), end: day(end) })}</span>
      </span>
      <span className={styles['muted']} dir="auto">
        {justification}
      </span>
    </li>
  );
}
