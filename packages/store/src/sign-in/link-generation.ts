import { type Kysely, type RawBuilder, sql } from 'kysely';
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

// The subqueries below name the tenant by a parameter, not by the column of an outer table.

type LinkedTable = 'sign_in_link' | 'used_sign_in_link' | 'pending_sign_in' | 'session';

/** SQL: the present link generation of the identity of a row. */
export const presentGeneration = (table: LinkedTable, tenant: string): RawBuilder<number> => sql`coalesce((
  select present.generation from link_generation present
  where present.tenant = ${tenant} and present.identity_id = ${sql.ref(`${table}.identity_id`)}
), 0)`;

export type UsedLinkColumn =
  | 'passkey.used_link'
  | 'recovery_code.used_link'
  | 'account.password_used_link'
  | 'account.totp_used_link'
  | 'pending_sign_in.used_link'
  | 'session.used_link';

/** SQL: true if the column is null, or its used link was not revoked. */
export const isOfPresentUsedLink = (column: UsedLinkColumn, tenant: string): RawBuilder<boolean> => sql`(
  ${sql.ref(column)} is null or exists (
    select 1 from used_sign_in_link
    where used_sign_in_link.tenant = ${tenant} and used_sign_in_link.hash = ${sql.ref(column)}
      and used_sign_in_link.generation = ${presentGeneration('used_sign_in_link', tenant)}
  ))`;

/** SQL: true if neither the link that a row began with nor its used link was revoked. */
export const isOfValidLink = (table: 'pending_sign_in' | 'session', tenant: string): RawBuilder<boolean> => {
  const generation = sql.ref(`${table}.link_generation`);
  return sql`((${generation} is null or ${generation} = ${presentGeneration(table, tenant)})
    and ${isOfPresentUsedLink(`${table}.used_link`, tenant)})`;
};
