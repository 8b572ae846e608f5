import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { endingQuery } from './queries.ts';
import { OVERVIEW_TEXTS } from './texts.ts';
import styles from './work.module.css';

/** The exceptions that end soon: their violations are open again then. */
export function Ending() {
  const { text, day } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const ending = useQuery(endingQuery(useApi()));
  return (
    <Card title={pageText('ending')}>
      {ending.isError && <Failure error={ending.error} onRetry={ending.refetch} />}
      {ending.isPending && <p>{text('state.loading')}</p>}
      {ending.data?.count === 0 && <p className={styles['none']}>{pageText('ending.none')}</p>}
      {ending.data !== undefined && ending.data.count > 0 && (
        <div className={styles['kind']}>
          <p>
            <Link to="/exceptions" search={{ state: 'APPROVED', ending: true }}>
              {pageText('ending.count', { count: ending.data.count })}
            </Link>
          </p>
          <ul>
            {ending.data.items.map(({ id, identityId, person, policyName, end }) => (
              <li key={id}>
                <Link to="/people/$id" params={{ id: identityId }} className={styles['subject']}>
                  <bdi>{person}</bdi>: <bdi>{policyName}</bdi>
                </Link>
                <span className={styles['when']}>{day(end)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}
