import type { SodReservation } from '@access-admin/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import type { PersonProps } from '../service/people/props.ts';
import { reservationsOfQuery } from '../service/people/queries.ts';
import { AccessLink } from '../ui/access-link.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './page.module.css';
import { PERSON_TEXTS } from './texts.ts';

/** The access of a person that waits for an approval. */
export function Pending({ person: { id } }: Pick<PersonProps, 'person'>) {
  const pageText = usePageTexts(PERSON_TEXTS);
  return (
    <Card title={pageText('pending')}>
      <Loaded query={useQuery(reservationsOfQuery(useApi(), id))}>
        {(reservations) =>
          reservations.length === 0 ? (
            <p className={styles['small']}>{pageText('pending.none')}</p>
          ) : (
            <ul className={styles['items']}>
              {reservations.map((reservation) => (
                <One key={reservation.id} reservation={reservation} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function One({ reservation: { accessRefs, reference, expires } }: { readonly reservation: SodReservation }) {
  const { day } = useSpeech();
  const pageText = usePageTexts(PERSON_TEXTS);
  const api = useApi();
  const names = useQueries({ queries: accessRefs.map((ref) => nameQuery(api, ref)) });
  return (
    <li>
      <span>
        {accessRefs.map((ref, at) => (
          <Fragment key={`${ref.type} ${ref.id}`}>
            {at > 0 && ', '}
            <AccessLink of={ref}>
              <bdi>{names[at]?.data ?? ref.id}</bdi>
            </AccessLink>
          </Fragment>
        ))}
      </span>
      <span className={styles['muted']}>{pageText('pending.until', { day: day(expires) })}</span>
      {reference !== null && (
        <span className={styles['muted']} dir="auto">
          {reference}
        </span>
      )}
    </li>
  );
}
