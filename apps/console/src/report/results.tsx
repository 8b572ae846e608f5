import type { SodReport, SodReportViolation } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { lineCountQuery, lineQueryOf, linesQuery, PAGE_LINES } from '../service/reports/lines.ts';
import type { ReportSearch } from '../service/reports/search.ts';
import { Card } from '../ui/card.tsx';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { PagedTable } from '../ui/tables/paged-table.tsx';
import { Details } from './details.tsx';
import { LineFilters } from './filters.tsx';
import styles from './page.module.css';
import { Cells, NARROW } from './rows.tsx';
import { SaveButtons } from './save-buttons.tsx';
import { REPORT_TEXTS } from './texts.ts';

export interface ResultsProps {
  readonly report: SodReport;
  readonly search: ReportSearch;
}

const HEADS = ['person', 'policy', 'level', 'change', 'conflict', 'exception'] as const;

/** The violations of a report, filtered by the address of the page. */
export function Results({ report, search }: ResultsProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORT_TEXTS);
  const api = useApi();
  const [open, setOpen] = useState<SodReportViolation | null>(null);
  const { reportId, kind } = report;
  const count = useQuery(lineCountQuery(api, reportId, search));
  // A scan supposes no change.
  const hasChange = kind !== 'SCAN';
  const heads = HEADS.filter((head) => head !== 'change' || hasChange);
  const total = count.data;
  return (
    <Card title={pageText('results')}>
      <LineFilters report={report} search={search} />
      <div className={styles['above']}>
        <p role="status">
          {total === undefined ? count.isPending && text('state.loading') : pageText('count', { count: total })}
        </p>
        <SaveButtons reportId={reportId} search={search} />
      </div>
      {count.isError && <Failure error={count.error} onRetry={count.refetch} />}
      {total === 0 && <Nothing search={search} />}
      {total !== undefined && total > 0 && (
        <PagedTable
          key={JSON.stringify(lineQueryOf(search))}
          label={pageText('table')}
          heads={heads.map((head) => ({ label: pageText(head), narrow: NARROW[head] }))}
          total={total}
          pageRows={PAGE_LINES}
          read={linesQuery(api, reportId, search)}
        >
          {(line) => <Cells line={line} hasChange={hasChange} onShow={() => setOpen(line)} />}
        </PagedTable>
      )}
      <Drawer isOpen={open !== null} title={open?.policyName ?? ''} onClose={() => setOpen(null)}>
        {open !== null && <Details line={open} />}
      </Drawer>
    </Card>
  );
}

function Nothing({ search }: Pick<ResultsProps, 'search'>) {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORT_TEXTS);
  const navigate = useNavigate({ from: '/reports/$id' });
  if (Object.keys(search).length === 0) return <p>{pageText('none.at-all')}</p>;
  return (
    <Empty title={pageText('none')}>
      <button type="button" className="button" onClick={() => navigate({ search: {} })}>
        {text('violations.clear')}
      </button>
    </Empty>
  );
}
