import type { IdentityNames } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { readColumns } from '../../query/model-tables.ts';
import type { Tables } from '../../schema/tables.ts';

/** The display names of the existing identities among these ids. */
export async function readIdentityNames(
  db: Kysely<Tables>,
  tenant: string,
  ids: ReadonlySet<string>,
): Promise<IdentityNames> {
  const names = new Map<string, string | null>();
  const columns = ['id', 'display_name'] as const;
  for await (const rows of readColumns(db, { table: 'identity', tenant, by: 'id', columns }, ids))
    for (const { id, display_name } of rows) names.set(id, display_name);
  return names;
}
