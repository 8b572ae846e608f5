import type { ListedSodReport } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { filterReports, KEPT_DAYS, KEPT_MAX } from '../service/reports/list.ts';
import { reportsQuery } from '../service/reports/queries.ts';
import { missingRight, NEEDED } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { ReportFilters } from './filters.tsx';
import styles from './page.module.css';
import { Rows } from './rows.tsx';
import { Start } from './start.tsx';
import { REPORTS_TEXTS } from './texts.ts';

const Checks = lazy(() => import('./checks/section.tsx').then((file) => ({ default: file.Checks })));

/** The reports that there are, and what starts another one. */
export function ReportsPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORTS_TEXTS);
  const api = useApi();
  const search = useSearch({ from: '/reports' });
  const reports = useQuery(reportsQuery(api));
  const session = useQuery(sessionQuery(api));
  const canStart = session.data !== undefined && missingRight('ask', session.data) === null;
  return (
    <>
      <Heading title={pageText('title')}>
        <p>{pageText('about')}</p>
      </Heading>
      {reports.isPending && <p role="status">{text('state.loading')}</p>}
      {reports.isError && <Failure error={reports.error} onRetry={reports.refetch} />}
      {reports.data !== undefined && (
        <>
          {session.data !== undefined && (
            <Card title={pageText('start')}>{canStart ? <Start /> : <MissingRight needed={NEEDED.ask} />}</Card>
          )}
          <Card title={pageText('reports')}>
            <List reports={reports.data} canStart={canStart} />
          </Card>
          <Suspense>{session.data !== undefined && <Checks search={search} mayRead={canStart} />}</Suspense>
        </>
      )}
    </>
  );
}

interface ListProps {
  readonly reports: readonly ListedSodReport[];
  readonly canStart: boolean;
}

function List({ reports, canStart }: ListProps) {
  const pageText = usePageTexts(REPORTS_TEXTS);
  const search = useSearch({ from: '/reports' });
  const found = filterReports(reports, search);
  if (reports.length === 0)
    return (
      <Empty title={pageText('none')}>
        <p>{pageText(canStart ? 'none.text' : 'none.auditor')}</p>
      </Empty>
    );
  return (
    <>
      <ReportFilters search={search} />
      {found.length === 0 ? <p role="status">{pageText('none.found')}</p> : <Rows reports={found} all={reports} />}
      <p className={styles['kept']}>{pageText('kept', { days: KEPT_DAYS, count: KEPT_MAX })}</p>
    </>
  );
}
