import {
  type BlastRadiusRequest,
  type CoveringException,
  type ReportLine,
  type ReportPolicy,
  SOD_REPORT_CHANGES,
  type SodReportChange,
  type SodReportKind,
  type SodReportRequester,
  type SodReportState,
} from '@access-admin/domain';
import { columnToPolicyLevel } from '../rulebook/policy-codec.ts';
import type { SodReportPolicyRow } from '../schema/tables.ts';
import { hashIdentityId } from './identity-filter.ts';
import type { CountedViolations, NewReport } from './report.ts';

/** The common prefix of the lines of an identity. */
export const packedIdentity = (identityId: string, displayName: string | null): string =>
  `[${JSON.stringify(identityId)},${JSON.stringify(displayName)},`;

/** The request of a report in its column: a blast radius as it is, the instant of a scan as `{at}`. */
export const requestToColumn = ({ blastRadius, at }: Pick<NewReport, 'blastRadius' | 'at'>): string | null =>
  blastRadius !== null ? JSON.stringify(blastRadius) : at === null ? null : JSON.stringify({ at });

export function columnToRequest(column: string | null): Pick<NewReport, 'blastRadius' | 'at'> {
  const request: BlastRadiusRequest | { readonly at: string } | null = column === null ? null : JSON.parse(column);
  if (request === null) return { blastRadius: null, at: null };
  return 'at' in request ? { blastRadius: null, at: request.at } : { blastRadius: request, at: null };
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

/** The hash, for `createIdentityFilter`, of the id with which a line begins; ids need no escapes in JSON. */
export const hashOfPacked = (identity: string): number => hashIdentityId(identity, 2, identity.indexOf('"', 2));

/** The id with which a line begins. */
export const idOfPacked = (identity: string): string => identity.slice(2, identity.indexOf('"', 2));

/** What a line says of its identity. */
export interface PackedViolation {
  readonly change: SodReportChange;
  readonly items: readonly number[];
  readonly exception: CoveringException | null;
}

/** A line of a block: JSON, `[identity id, display name, index of the change, …items]`; with an exception, `[index of the change, id, end]` for the index. */
export function packedLineOf(identity: string, { change, items, exception }: PackedViolation): string {
  const index = SOD_REPORT_CHANGES.indexOf(change);
  const place = exception === null ? index : JSON.stringify([index, exception.id, exception.end]);
  return items.length === 0 ? `${identity}${place}]` : `${identity}${place},${items.join(',')}]`;
}

/** The lines of a block. */
export function unpackReportLines(content: string): readonly ReportLine[] {
  const lines: readonly [string, string | null, number | [number, string, string], ...number[]][] = JSON.parse(content);
  return lines.map(([identityId, displayName, place, ...items]) => {
    const [index, id, end] = typeof place === 'number' ? [place] : place;
    const exception = id === undefined || end === undefined ? null : { id, end };
    return { identityId, displayName, change: SOD_REPORT_CHANGES[index] ?? 'same', items, exception };
  });
}

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
