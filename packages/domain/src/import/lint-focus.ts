import type { LintFocus } from '../lint/focus.ts';
import { isDeletion, type LastByKey } from './references.ts';

/**
 * The focus of lint after an import: the records that it upserts and the entitlements that it deletes. Null when no finding
 * can be new: an upserted entitlement only resolves findings, and no finding names another deleted record.
 */
export function focusOfImport(lastByKey: LastByKey): LintFocus | null {
  const policies = new Set<string>();
  const accessProfiles = new Set<string>();
  const roles = new Set<string>();
  const deletedEntitlements = new Set<string>();
  for (const { record } of lastByKey.values()) {
    if (isDeletion(record)) {
      if (record.kind === 'entitlement') deletedEntitlements.add(record.id);
    } else if (record.kind === 'sodPolicy') policies.add(record.id);
    else if (record.kind === 'accessProfile') accessProfiles.add(record.id);
    else if (record.kind === 'role') roles.add(record.id);
  }
  const count = policies.size + accessProfiles.size + roles.size + deletedEntitlements.size;
  return count === 0 ? null : { policies, accessProfiles, roles, deletedEntitlements };
}
