import type { Account } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { accessNamesQuery, nameKey } from '../service/sources/queries.ts';
import { AccessLink } from '../ui/access-link.tsx';
import styles from './grants.module.css';
import { GRANTS_TEXTS } from './texts.ts';

/** More than so many are only counted. */
const SHOWN = 50;

/** What an account grants, each with its time. */
export function Grants({ access }: Pick<Account, 'access'>) {
  const { text, day } = useSpeech();
  const pageText = usePageTexts(GRANTS_TEXTS);
  const shown = access.slice(0, SHOWN);
  const names = useQuery(accessNamesQuery(useApi(), shown)).data;
  if (access.length === 0) return <p className={styles['muted']}>{pageText('none')}</p>;
  return (
    <ul className={styles['grants']}>
      {shown.map((ref) => {
        const { start, end } = ref;
        const days = { start: start === null ? '' : day(start), end: end === null ? '' : day(end) };
        const window = end === null ? 'from' : start === null ? 'until' : 'both';
        return (
          <li key={`${nameKey(ref)} ${start} ${end}`}>
            <AccessLink of={ref}>
              <bdi>{names?.get(nameKey(ref)) ?? ref.id}</bdi>
            </AccessLink>{' '}
            <span className={styles['muted']}>
              {text(`type.${ref.type}`)}
              {(start !== null || end !== null) && `, ${pageText(window, days)}`}
            </span>
          </li>
        );
      })}
      {access.length > SHOWN && (
        <li className={styles['muted']}>{pageText('more', { count: access.length - SHOWN })}</li>
      )}
    </ul>
  );
}
