import type {
  AccessAdminClient,
  DryRun,
  FinishedSodReport,
  SodReportChange,
  SodReportSummary,
} from '@access-admin/client';
import type { ViolationLog } from '../gates/violation-log.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

/** A dry-run that has succeeded. */
export type SuccessfulReport = FinishedSodReport & { readonly state: 'SUCCESS'; readonly summary: SodReportSummary };

/** What a dry-run needs. */
export interface DryRunning {
  readonly client: AccessAdminClient;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Reports what changes of policies would do to everybody. Throws a `CommandFailure` where the report fails. */
export async function dryRun(changes: DryRun, { client, output, signal }: DryRunning): Promise<SuccessfulReport> {
  const { reportId } = await client.sodReports.dryRun(changes, { signal });
  const progress = output.progress('Evaluating', 'percent');
  const watch = setInterval(() => {
    client.sodReports.get(reportId, { signal }).then(
      (report) => progress.update(report.progress * 100, 100),
      () => {},
    );
  }, 1000);
  try {
    const report = await client.sodReports.waitFor(reportId, { signal, timeoutMs: WAIT_MS });
    if (isSuccessful(report)) return report;
    throw new CommandFailure(`report ${reportId} failed: ${report.message ?? 'without a message'}`);
  } finally {
    clearInterval(watch);
    progress.end();
  }
}

const WAIT_MS = 30 * 60_000;
/** The most violations that are read where only some people are named. */
const READ_MAX = 2_000;

const isSuccessful = (report: FinishedSodReport): report is SuccessfulReport =>
  report.state === 'SUCCESS' && 'byPolicy' in report.summary;

/** Reads the violations of a dry-run: all of them, or as many as a report for people names. */
export async function logReport(
  { reportId, summary }: SuccessfulReport,
  { client, signal, log, isWhole }: DryRunning & { readonly log: ViolationLog; readonly isWhole: boolean },
): Promise<void> {
  for (const counts of summary.byPolicy ?? []) log.count({ ...counts, at: null });
  const changes: readonly SodReportChange[] = isWhole ? ['new', 'gone', 'same'] : ['new', 'gone'];
  for (const change of changes) {
    let read = 0;
    for await (const violation of client.sodReports.violations(reportId, { change, signal })) {
      log.name({ ...violation, displayName: violation.displayName ?? violation.identityId });
      if (!isWhole && ++read >= READ_MAX) break;
    }
  }
}
