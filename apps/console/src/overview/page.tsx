import type { ViolationSummary } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { summaryQuery } from '../service/queries.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { Levels } from './levels.tsx';
import { Oldest } from './oldest.tsx';
import styles from './page.module.css';
import { Policies } from './policies.tsx';
import { Totals } from './totals.tsx';
import { Trend } from './trend.tsx';

/** What is wrong today, and since when. */
export function OverviewPage() {
  const { text } = useSpeech();
  const summary = useQuery(summaryQuery(useApi()));
  return (
    <>
      <Heading title={text('overview.title')}>
        <AsOf summary={summary.data} isLoading={summary.isPending} />
      </Heading>
      {summary.isError && <Failure error={summary.error} onRetry={summary.refetch} />}
      {summary.data !== undefined && <Counts summary={summary.data} />}
    </>
  );
}

function AsOf({ summary, isLoading }: { readonly summary: ViolationSummary | undefined; readonly isLoading: boolean }) {
  const { text, moment } = useSpeech();
  if (summary === undefined) return <p role="status">{isLoading && text('state.loading')}</p>;
  if (summary.asOf === null) return <p role="status">{text('overview.waiting')}</p>;
  return <p>{text('overview.as-of', { time: moment(summary.asOf), count: summary.identities })}</p>;
}

function Counts({ summary }: { readonly summary: ViolationSummary }) {
  const { text } = useSpeech();
  return (
    <>
      <Totals summary={summary} />
      <div className={styles['grid']}>
        <Card title={text('overview.levels')}>
          <Levels levels={summary.byLevel} />
        </Card>
        <Card title={text('overview.trend')}>
          <Trend days={summary.trend} />
        </Card>
        <Card title={text('overview.policies')}>
          {summary.open === 0 ? (
            <Empty title={text('overview.none')}>
              <p>{text('overview.none.text')}</p>
            </Empty>
          ) : (
            <Policies policies={summary.byPolicy} />
          )}
        </Card>
        <Card title={text('overview.oldest')}>
          <Oldest />
        </Card>
      </div>
    </>
  );
}
