import { type Kysely, sql, type Transaction } from 'kysely';
import { isPostgres } from '../../engine/is-postgres.ts';
import { insertMissing } from '../../query/insert.ts';
import type { Tables } from '../../schema/tables.ts';

/** The time of the database, as all times of ours are written. */
const nowOf = (trx: Transaction<Tables>) =>
  isPostgres(trx)
    ? sql<string>`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/**
 * Marks the register as behind, and keeps an earlier time: that of the first change that it lacks, or of a round during which
 * that came. The least of a time and null is the time on PostgreSQL, where a statement that is sent to one of several servers has
 * no clock in `coalesce`.
 */
const registerBehind = (trx: Transaction<Tables>) => ({
  register_behind_since: isPostgres(trx)
    ? sql<string>`least(register_behind_since, ${nowOf(trx)})`
    : sql<string>`coalesce(register_behind_since, ${nowOf(trx)})`,
});

/** Creates the tenant and its register if it is new; true then. */
export async function ensureTenant(trx: Transaction<Tables>, tenant: string, created: string | null): Promise<boolean> {
  const row = {
    tenant,
    policy_set_version: 0,
    identity_revision: 0,
    iframe_whitelist: null,
    username_label: null,
    username_empty_text: null,
    created,
    identity_count: 0,
    register_behind_since: nowOf(trx),
    is_removed: 0,
  };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('tenant')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await trx.insertInto('register_head').values(unfilledRegister(tenant)).execute();
  return true;
}

/** A register that has taken in nothing. */
const unfilledRegister = (tenant: string): Tables['register_head'] => ({
  tenant,
  fence: 0,
  claimable_at_ms: 0,
  identity_revision: 0,
  policy_set_version: 0,
  change_id: null,
  as_of: '',
  next_due: null,
  expired_end: '',
  expired_id: '',
  compare_due: '',
  identities: 0,
  corrected: 0,
});

/** Takes a revision that no identity of the tenant has had. */
export async function nextIdentityRevision(trx: Transaction<Tables>, tenant: string): Promise<number> {
  const { identity_revision } = await trx
    .updateTable('tenant')
    .set((eb) => ({ identity_revision: eb('identity_revision', '+', 1), ...registerBehind(trx) }))
    .where('tenant', '=', tenant)
    .returning('identity_revision')
    .executeTakeFirstOrThrow();
  return identity_revision;
}

/** Has the register of the tenant look at its data, although no version has changed. */
export async function markRegisterBehind(trx: Transaction<Tables>, tenant: string): Promise<void> {
  await trx.updateTable('tenant').set(registerBehind(trx)).where('tenant', '=', tenant).execute();
}

/** Logs which identities a revision has deleted, until the register has taken that in. */
export const logDeletedIdentities = (
  trx: Transaction<Tables>,
  of: { readonly tenant: string; readonly revision: number },
  ids: readonly string[],
): Promise<void> =>
  insertMissing(
    trx,
    'identity_deletion',
    ids.map((id) => ({ ...of, identity_id: id })),
  );

/** Keeps the number of identities that the tenant has. */
export async function addToIdentityCount(trx: Transaction<Tables>, tenant: string, more: number): Promise<void> {
  if (more === 0) return;
  await trx
    .updateTable('tenant')
    .set((eb) => ({ identity_count: eb('identity_count', '+', more) }))
    .where('tenant', '=', tenant)
    .execute();
}

/** The latest revision; 0 for a tenant without data. */
export async function readIdentityRevision(db: Kysely<Tables>, tenant: string): Promise<number> {
  const row = await db.selectFrom('tenant').select('identity_revision').where('tenant', '=', tenant).executeTakeFirst();
  return row?.identity_revision ?? 0;
}

/** 0 for a tenant without data. */
export async function readPolicySetVersion(db: Kysely<Tables>, tenant: string): Promise<number> {
  const row = await db
    .selectFrom('tenant')
    .select('policy_set_version')
    .where('tenant', '=', tenant)
    .executeTakeFirst();
  return row?.policy_set_version ?? 0;
}

/** Returns the new version. */
export async function raisePolicySetVersion(trx: Transaction<Tables>, tenant: string): Promise<number> {
  const { policy_set_version } = await trx
    .updateTable('tenant')
    .set((eb) => ({ policy_set_version: eb('policy_set_version', '+', 1), ...registerBehind(trx) }))
    .where('tenant', '=', tenant)
    .returning('policy_set_version')
    .executeTakeFirstOrThrow();
  return policy_set_version;
}
