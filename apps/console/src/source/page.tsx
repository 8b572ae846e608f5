import { NotFoundError, type Source } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { HistoryLink } from '../history/link.tsx';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { accountCountsQuery, sourceQuery } from '../service/sources/queries.ts';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { Accounts } from './accounts.tsx';
import styles from './page.module.css';
import { SOURCE_TEXTS } from './texts.ts';

// What changes a source has more texts than the list of its accounts, which comes first.
const DeleteButton = lazy(() => import('./delete-button.tsx').then((file) => ({ default: file.DeleteButton })));
const LatestLoad = lazy(() => import('../loads/latest.tsx').then((file) => ({ default: file.LatestLoad })));
const SourceLoads = lazy(() => import('./loads.tsx').then((file) => ({ default: file.SourceLoads })));
const Settings = lazy(() => import('./settings.tsx').then((file) => ({ default: file.Settings })));

/** One source: its accounts, those that wait for somebody, its loads, and how accounts find their people. */
export function SourcePage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(SOURCE_TEXTS);
  const { id } = useParams({ from: '/sources/$id' });
  const source = useQuery(sourceQuery(useApi(), id));
  const back = <Link to="/sources">{pageText('back')}</Link>;
  if (source.error instanceof NotFoundError)
    return (
      <Heading title={pageText('unknown')} back={back}>
        <p>{pageText('unknown.text')}</p>
      </Heading>
    );
  const failure = source.isError && <Failure error={source.error} onRetry={source.refetch} />;
  if (source.data === undefined)
    return (
      <>
        <Heading title={id} back={back}>
          <p role="status">{source.isPending && text('state.loading')}</p>
        </Heading>
        {failure}
      </>
    );
  const { name, description } = source.data.value;
  return (
    <>
      {failure}
      <Heading
        title={name}
        back={back}
        ways={
          <>
            <HistoryLink type="SOURCE" id={id} />
            <Suspense>
              <DeleteButton source={source.data.value} />
            </Suspense>
          </>
        }
      >
        {description !== null && <p dir="auto">{description}</p>}
        <Counts id={id} />
      </Heading>
      <div key={id} className={styles['columns']}>
        <Accounts source={id} />
        <div className={styles['beside']}>
          <Suspense>
            <SourceLoads source={id} />
            <Settings source={source.data} />
          </Suspense>
        </div>
      </div>
    </>
  );
}

/** How many accounts there are, and the ways to those that wait for somebody, and to a load that does. */
function Counts({ id }: Pick<Source, 'id'>) {
  const pageText = usePageTexts(SOURCE_TEXTS);
  const counts = useQuery(accountCountsQuery(useApi(), id)).data;
  return (
    <p role="status" className={styles['counts']}>
      {counts !== undefined && (
        <>
          <span>{pageText('count.all', { count: counts.all })}</span>
          {counts.none > 0 && (
            <Link to="/sources/$id" params={{ id }} search={{ link: 'NONE' }}>
              {pageText('count.none', { count: counts.none })}
            </Link>
          )}
          {counts.ambiguous > 0 && (
            <Link to="/sources/$id" params={{ id }} search={{ link: 'AMBIGUOUS' }}>
              {pageText('count.ambiguous', { count: counts.ambiguous })}
            </Link>
          )}
          <Suspense>
            <LatestLoad source={id} isNews />
          </Suspense>
        </>
      )}
    </p>
  );
}
