import type { AccessAdminClient } from '@access-admin/client';
import { filter } from '@access-admin/client';

/** The statuses of violations that are present. */
export const PRESENT = ['Open', 'Mitigated'] as const;

/** Reads the entitlements of a person that are a part of a present violation, each with the id of the most severe one. */
export async function readConflicts(
  { violations }: Pick<AccessAdminClient, 'violations'>,
  personId: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const filters = filter`targetId eq ${personId} and status in ${PRESENT}`;
  const found = new Map<string, string>();
  for await (const { id, conflictingCriteria } of violations.list({ filters, sorters: '-level', signal }))
    for (const item of conflictingCriteria.flatMap(({ conflictingItems }) => conflictingItems))
      if (!found.has(item.id)) found.set(item.id, id);
  return found;
}
