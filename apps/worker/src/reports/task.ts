import type { ClaimedReport, ReportStore, SodReader } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { LeaseDeps, ReportLease } from './lease.ts';
import type { Populations } from './population.ts';

export interface RunReportDeps extends LeaseDeps {
  readonly reports: ReportStore;
  readonly reader: SodReader;
  readonly populations: Populations;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** A report under way. */
export interface ReportTask {
  readonly claim: ClaimedReport;
  readonly lease: ReportLease;
  readonly pause: Pause;
}
