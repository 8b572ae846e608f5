import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import type { AccountKey } from './account.ts';

/** How often a change of an identity has ended its links, and what began with one. */
export async function readLinkGeneration(db: Kysely<Tables>, { tenant, identityId }: AccountKey): Promise<number> {
  const row = await db
    .selectFrom('link_generation')
    .select('generation')
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .executeTakeFirst();
  return row?.generation ?? 0;
}

/** Whether what began with a link of this generation may continue; null where it did not begin with one. */
export const isLinkCurrent = async (db: Kysely<Tables>, key: AccountKey, generation: number | null): Promise<boolean> =>
  generation === null || generation === (await readLinkGeneration(db, key));
