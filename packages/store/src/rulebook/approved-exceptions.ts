import type { ApprovedException } from '@access-admin/domain';

/** Parses the approved exceptions of a hot read: JSON, `[policyId, id, start, end]` each; null for none. */
export function parseApprovedExceptions(text: string | null | undefined): readonly ApprovedException[] | null {
  if (text === null || text === undefined) return null;
  const rows: readonly [string, string, string, string][] = JSON.parse(text);
  return rows.map(([policyId, id, start, end]) => ({ policyId, id, start, end }));
}
