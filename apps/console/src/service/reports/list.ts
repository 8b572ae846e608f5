import type { ListedSodReport } from '@access-admin/client';
import type { ReportsSearch } from './search.ts';

/** How many days the service keeps a report after its end. */
export const KEPT_DAYS = 7;
/** How many reports that have ended the service keeps, the latest ones. */
export const KEPT_MAX = 50;

const DAY_MS = 86_400_000;

/** What all forms of a report have. */
export type ReportHead = Omit<ListedSodReport, 'summary'>;

/** Whether a report has not ended. */
export const isUnderWay = ({ completed }: Pick<ReportHead, 'completed'>): boolean => completed === null;

/** When the service removes a report, unless 50 later ones have ended before; null while it is under way. */
export const keptUntil = ({ completed }: Pick<ReportHead, 'completed'>): string | null =>
  completed === null ? null : new Date(Date.parse(completed) + KEPT_DAYS * DAY_MS).toISOString();

/** The reports that meet a search. */
export const filterReports = <T extends ReportHead>(reports: readonly T[], { kind, state }: ReportsSearch) =>
  reports.filter((each) => (kind === undefined || each.kind === kind) && isIn(state, each));

const isIn = (state: ReportsSearch['state'], report: ReportHead): boolean =>
  state === undefined || (state === 'UNDER_WAY' ? isUnderWay(report) : report.state === state);

/** The reports that a report can be compared with: those of its kind before it that have a result, the newest first, as listed. */
export function comparableWith<T extends ReportHead>(
  reports: readonly T[],
  { kind, reportId }: ReportHead,
): readonly T[] {
  const at = reports.findIndex((each) => each.reportId === reportId);
  return reports.slice(at + 1).filter((each) => each.kind === kind && each.state === 'SUCCESS');
}

/** The scan before a scan, of the same instant if of any; undefined for other kinds, which are rarely asked the same twice. */
export const findScanBefore = <T extends ReportHead>(reports: readonly T[], scan: ReportHead): T | undefined =>
  scan.kind === 'SCAN' && scan.state === 'SUCCESS'
    ? comparableWith(reports, scan).find(({ at }) => at === scan.at)
    : undefined;
