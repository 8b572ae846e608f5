import type { CurrentSession, ViolationSummary } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { summaryQuery } from '../service/summary.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { Ending } from './ending.tsx';
import { Levels } from './levels.tsx';
import styles from './page.module.css';
import { Policies } from './policies.tsx';
import { OVERVIEW_TEXTS } from './texts.ts';
import { Trend } from './trend.tsx';
import { Work } from './work.tsx';

/** What to do first, what is wrong today, and since when. */
export function OverviewPage() {
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const { data: session } = useQuery(sessionQuery(useApi()));
  const mayRead = session === undefined || missingRight('register', session) === null;
  const summary = useQuery({ ...summaryQuery(useApi()), enabled: mayRead });
  if (!mayRead)
    return (
      <>
        <Heading title={pageText('title')}>
          <OtherWay session={session} />
        </Heading>
        <Work>{null}</Work>
      </>
    );
  return (
    <>
      <Heading title={pageText('title')}>
        <AsOf summary={summary.data} isLoading={summary.isPending} />
      </Heading>
      <Work>
        {summary.isError && <Failure error={summary.error} onRetry={summary.refetch} />}
        {summary.data !== undefined && <Counts summary={summary.data} />}
      </Work>
    </>
  );
}

/** Says what a person without the right to read the register can do, with the way to it. */
function OtherWay({ session }: { readonly session: CurrentSession }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const mayHelp = missingRight('people', session) === null;
  return (
    <p>
      {pageText(mayHelp ? 'other.help' : 'other.account')}{' '}
      {mayHelp ? <Link to="/people">{text('nav.people')}</Link> : <a href="/account">{text('account.own')}</a>}
    </p>
  );
}

function AsOf({ summary, isLoading }: { readonly summary: ViolationSummary | undefined; readonly isLoading: boolean }) {
  const { text, moment } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  if (summary === undefined) return <p role="status">{isLoading && text('state.loading')}</p>;
  if (summary.asOf === null) return <p role="status">{pageText('waiting')}</p>;
  return <p>{pageText('as-of', { time: moment(summary.asOf), count: summary.identities })}</p>;
}

function Counts({ summary }: { readonly summary: ViolationSummary }) {
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  return (
    <div className={styles['grid']}>
      <Card title={pageText('levels')}>
        <Levels summary={summary} />
      </Card>
      <Card title={pageText('trend')}>
        <Trend days={summary.trend} />
      </Card>
      <Card title={pageText('policies')}>
        {summary.open === 0 ? (
          <Empty title={pageText('none')}>
            <p>{pageText('none.text')}</p>
          </Empty>
        ) : (
          <Policies policies={summary.byPolicy} />
        )}
      </Card>
      <Ending />
    </div>
  );
}
