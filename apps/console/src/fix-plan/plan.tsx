import type { FixPlanSummary, SodReport } from '@access-admin/client';
import type { ReportSearch } from '../service/reports/search.ts';
import { Left } from './left.tsx';
import { Steps } from './steps.tsx';

export interface FixPlanProps {
  readonly report: SodReport;
  readonly summary: FixPlanSummary;
  readonly search: ReportSearch;
}

/** A fix plan as a list of work: its steps, and the violations that no step ends. */
export function FixPlan({ report, summary, search }: FixPlanProps) {
  return (
    <>
      <Steps report={report} summary={summary} search={search} />
      {summary.unsolvable > 0 && <Left reportId={report.reportId} />}
    </>
  );
}
