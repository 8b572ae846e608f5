import {
  type ReportLine,
  type ReportPolicy,
  SOD_REPORT_CHANGES,
  type SodPolicyLevel,
  type SodReportChange,
} from '@access-admin/domain';
import type { SodReportPolicyRow } from '../schema/tables.ts';

/** The common prefix of the lines of an identity. */
export const packedIdentity = (identityId: string, displayName: string | null): string =>
  `[${JSON.stringify(identityId)},${JSON.stringify(displayName)},`;

/** A line of a block: JSON, `[identity id, display name, index of the change, …items]`. */
export function packedLineOf(identity: string, change: SodReportChange, items: readonly number[]): string {
  const place = SOD_REPORT_CHANGES.indexOf(change);
  return items.length === 0 ? `${identity}${place}]` : `${identity}${place},${items.join(',')}]`;
}

/** The lines of a block. */
export function unpackReportLines(content: string): readonly ReportLine[] {
  const lines: readonly [string, string | null, number, ...number[]][] = JSON.parse(content);
  return lines.map(([identityId, displayName, place, ...items]) => ({
    identityId,
    displayName,
    change: SOD_REPORT_CHANGES[place] ?? 'same',
    items,
  }));
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
    level: row.level as SodPolicyLevel,
    before,
    after: row.sides_after === null ? before : JSON.parse(row.sides_after),
  };
}
