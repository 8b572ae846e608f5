import type { SodReservation } from '@access-admin/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import type { PersonProps } from '../service/people/props.ts';
import { reservationsOfQuery } from '../service/people/queries.ts';
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
  const { day, list } = useSpeech();
  const pageText = usePageTexts(PERSON_TEXTS);
  const api = useApi();
  const names = useQueries({ queries: accessRefs.map((ref) => nameQuery(api, ref)) });
  return (
    <li>
      <span dir="auto">{list(accessRefs.map(({ id }, at) => names[at]?.data ?? id))}</span>
      <span className={styles['muted']}>{pageText('pending.until', { day: day(expires) })}</span>
      {reference !== null && (
        <span className={styles['muted']} dir="auto">
          {reference}
        </span>
      )}
    </li>
  );
}
