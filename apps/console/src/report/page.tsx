import type { SodReport } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { Question, Requester } from '../reports/outcome/question.tsx';
import { Result } from '../reports/outcome/result.tsx';
import { State } from '../reports/outcome/state.tsx';
import { useKind } from '../reports/outcome/use-kind.ts';
import { useApi } from '../service/api.tsx';
import { isUnderWay, keptUntil } from '../service/reports/list.ts';
import { reportQuery } from '../service/reports/queries.ts';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { Compared } from './compared.tsx';
import styles from './page.module.css';
import { REPORT_TEXTS } from './texts.ts';

// A report that has no result yet does not need the table.
const Results = lazy(() => import('./results.tsx').then((file) => ({ default: file.Results })));
const FixPlan = lazy(() => import('../fix-plan/plan.tsx').then((file) => ({ default: file.FixPlan })));

/** One report: how far it is, what it has found, and what is different from an earlier one. */
export function ReportPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORT_TEXTS);
  const kindOf = useKind();
  const { id } = useParams({ from: '/reports/$id' });
  const report = useQuery(reportQuery(useApi(), id));
  const { data } = report;
  return (
    <>
      <Heading
        title={data === undefined ? pageText('title') : kindOf(data)}
        back={<Link to="/reports">{pageText('all')}</Link>}
      >
        {data !== undefined && <Facts report={data} />}
      </Heading>
      {report.isPending && <p role="status">{text('state.loading')}</p>}
      {report.isError && <Failure error={report.error} onRetry={report.refetch} />}
      {data !== undefined && <Asked report={data} />}
      {data !== undefined && <Content report={data} />}
    </>
  );
}

function Facts({ report }: { readonly report: SodReport }) {
  const pageText = usePageTexts(REPORT_TEXTS);
  const { moment, day } = useSpeech();
  const { created, asOf, summary } = report;
  const until = keptUntil(report);
  return (
    <p>
      {[
        pageText('started', { time: moment(created) }),
        asOf !== null && pageText('as-of', { time: moment(asOf) }),
        // A plan counts the people from whom it revokes something.
        summary !== null && !('revocations' in summary) && pageText('people', { count: summary.identities }),
        until !== null && pageText('until', { day: day(until) }),
      ]
        .filter((fact) => fact !== false)
        .join(' · ')}
    </p>
  );
}

/** Renders the card with the requester and the question of a report. */
function Asked({ report }: { readonly report: SodReport }) {
  const pageText = usePageTexts(REPORT_TEXTS);
  const { moment } = useSpeech();
  const { kind, at, requestedBy } = report;
  return (
    <Card title={pageText('asked')}>
      <dl className={styles['facts']}>
        <dt>{pageText('asked.by')}</dt>
        <dd>
          <Requester of={requestedBy} />
        </dd>
        <dt>{pageText('asked.about')}</dt>
        <dd>
          {kind === 'FIX_PLAN' && <p>{pageText('asked.fix-plan')}</p>}
          {kind !== 'SCAN' && <Question report={report} />}
          {kind === 'SCAN' && (at === undefined ? pageText('asked.scan') : pageText('asked.at', { time: moment(at) }))}
        </dd>
      </dl>
    </Card>
  );
}

function Content({ report }: { readonly report: SodReport }) {
  const pageText = usePageTexts(REPORT_TEXTS);
  const { since, ...search } = useSearch({ from: '/reports/$id' });
  const { kind, summary, message } = report;
  if (isUnderWay(report) || summary === null)
    return (
      <Card title={pageText('state')}>
        <div role="status">
          <State report={report} />
        </div>
        {message !== undefined && <p dir="auto">{message}</p>}
      </Card>
    );
  return (
    <>
      <Card title={pageText('found')}>
        <div className={styles['found']}>
          <Result report={report} summary={summary} />
        </div>
        {kind !== 'FIX_PLAN' && <Compared report={report} since={since} />}
      </Card>
      <Suspense>
        {'revocations' in summary ? (
          <FixPlan report={report} summary={summary} search={search} />
        ) : (
          since === undefined && <Results report={report} search={search} />
        )}
      </Suspense>
    </>
  );
}
