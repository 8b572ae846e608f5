import type { ApprovedOnConflict } from '@access-admin/domain';

/** Parses the approved exceptions of a hot read: JSON, `[policyId, id, start, end, approved, terms, items]` each; null for none. */
export function parseApprovedExceptions(text: string | null | undefined): readonly ApprovedOnConflict[] | null {
  if (text === null || text === undefined) return null;
  const rows: readonly [string, string, string, string, string, string, readonly string[]][] = JSON.parse(text);
  return rows.map(([policyId, id, start, end, approved, terms, items]) => ({
    policyId,
    id,
    start,
    end,
    approved,
    terms,
    items,
  }));
}
