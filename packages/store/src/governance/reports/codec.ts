import type {
  BlastRadiusRequest,
  ReportLine,
  ReportPolicy,
  SodReportChange,
  SodReportKind,
  SodReportRequester,
  SodReportState,
} from '@access-admin/domain';
import { columnToPolicyLevel } from '../../policies/rulebook/policy-codec.ts';
import type { SodReportPolicyRow, SodReportViolationRow } from '../../schema/tables.ts';
import type { ClaimedReport, CountedViolations, ReportKey, ReportViolation } from './report.ts';

type ReportRequest = Pick<ClaimedReport, 'blastRadius' | 'at' | 'fixPlan'>;

/** The request of a report in its column: a blast radius as it is, the instant of a scan as `{at}`, a fix plan as `{fixPlan}`. */
export function requestToColumn({ blastRadius, at, fixPlan }: ReportRequest): string | null {
  if (fixPlan !== null) return JSON.stringify({ fixPlan });
  if (blastRadius !== null) return JSON.stringify(blastRadius);
  return at === null ? null : JSON.stringify({ at });
}

export function columnToRequest(column: string | null): ReportRequest {
  const none = { blastRadius: null, at: null, fixPlan: null };
  const request: BlastRadiusRequest | Pick<ReportRequest, 'at'> | Pick<ReportRequest, 'fixPlan'> | null =
    column === null ? null : JSON.parse(column);
  if (request === null) return none;
  if ('fixPlan' in request) return { ...none, fixPlan: request.fixPlan };
  return 'at' in request ? { ...none, at: request.at } : { ...none, blastRadius: request };
}

/** Whoever asked for a report in its column. */
export const requesterToColumn = ({ clientId, identityId, displayName }: SodReportRequester): string =>
  JSON.stringify([clientId, identityId, displayName]);

export function columnToRequester(column: string): SodReportRequester {
  const [clientId, identityId, displayName] = JSON.parse(column);
  return { clientId, identityId, displayName };
}

/** The kind of a report from its column. */
export const columnToReportKind = (kind: string): SodReportKind => kind as SodReportKind;

/** The state of a report from its column. */
export const columnToReportState = (state: string): SodReportState => state as SodReportState;

/** The columns of a policy's sides. */
export function sidesToColumns({ before, after }: Pick<ReportPolicy, 'before' | 'after'>) {
  return {
    sides_before: before === null ? null : JSON.stringify(before),
    sides_after: after === null || after === before ? null : JSON.stringify(after),
  };
}

export function rowToReportPolicy(
  row: Pick<SodReportPolicyRow, 'policy_id' | 'name' | 'level' | 'sides_before' | 'sides_after'>,
): ReportPolicy {
  const before = row.sides_before === null ? null : JSON.parse(row.sides_before);
  return {
    policyId: row.policy_id,
    name: row.name,
    level: columnToPolicyLevel(row.level),
    before,
    after: row.sides_after === null ? before : JSON.parse(row.sides_after),
  };
}

/** The columns of the counts of violations. */
export const countsToColumns = ({ excepted, ...counts }: CountedViolations) => ({
  new_count: counts.new,
  same_count: counts.same,
  gone_count: counts.gone,
  new_excepted: excepted.new,
  same_excepted: excepted.same,
  gone_excepted: excepted.gone,
});

export const violationToRow = (
  { tenant, reportId }: ReportKey,
  { number, identityId, displayName, change, exception, items }: ReportViolation,
): SodReportViolationRow => ({
  tenant,
  report_id: reportId,
  number,
  identity_id: identityId,
  display_name: displayName,
  change,
  exception_id: exception?.id ?? null,
  exception_end: exception?.end ?? null,
  items: JSON.stringify(items),
});

export const rowToReportLine = (row: Omit<SodReportViolationRow, 'tenant' | 'report_id' | 'number'>): ReportLine => ({
  identityId: row.identity_id,
  displayName: row.display_name,
  change: row.change as SodReportChange,
  exception:
    row.exception_id === null || row.exception_end === null ? null : { id: row.exception_id, end: row.exception_end },
  items: JSON.parse(row.items),
});
