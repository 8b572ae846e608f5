import type { LintFocus } from '../sod/index.ts';
import type { StoredKind } from './records.ts';
import { isDeletion, type LastRecords, upsertsOf } from './references.ts';

/**
 * The focus of lint after an import: the records that it upserts and the entitlements that it deletes. Null when no finding
 * can be new: an upserted entitlement only resolves findings, and no finding names another deleted record.
 */
export function focusOfImport(last: LastRecords): LintFocus | null {
  const idsOf = (kind: StoredKind) => new Set(upsertsOf(last, kind).map(({ id }) => id));
  const deletedEntitlements = new Set<string>();
  for (const { record } of last.inOrder)
    if (isDeletion(record) && record.kind === 'entitlement') deletedEntitlements.add(record.id);
  const focus = {
    policies: idsOf('sodPolicy'),
    accessProfiles: idsOf('accessProfile'),
    roles: idsOf('role'),
    deletedEntitlements,
  };
  return Object.values(focus).every(({ size }) => size === 0) ? null : focus;
}
