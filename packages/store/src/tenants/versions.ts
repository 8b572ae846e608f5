import type { Kysely, Transaction } from 'kysely';
import { insertMissing } from '../query/insert.ts';
import type { Tables, TenantRow } from '../schema/tables.ts';

/** Creates the tenant if it is new. */
export async function ensureTenant(trx: Transaction<Tables>, tenant: string, created: string | null): Promise<void> {
  const row: TenantRow = {
    tenant,
    policy_set_version: 0,
    identity_revision: 0,
    iframe_whitelist: null,
    username_label: null,
    username_empty_text: null,
    created,
    identity_count: 0,
    is_register_behind: 1,
  };
  await trx
    .insertInto('tenant')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant').doNothing())
    .execute();
}

/** Takes a revision that no identity of the tenant has had. */
export async function nextIdentityRevision(trx: Transaction<Tables>, tenant: string): Promise<number> {
  const { identity_revision } = await trx
    .updateTable('tenant')
    .set((eb) => ({ identity_revision: eb('identity_revision', '+', 1), is_register_behind: 1 }))
    .where('tenant', '=', tenant)
    .returning('identity_revision')
    .executeTakeFirstOrThrow();
  return identity_revision;
}

/** Has the register of the tenant look at its data, although no version has changed. */
export async function markRegisterBehind(trx: Transaction<Tables>, tenant: string): Promise<void> {
  await trx.updateTable('tenant').set({ is_register_behind: 1 }).where('tenant', '=', tenant).execute();
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

export async function raisePolicySetVersion(trx: Transaction<Tables>, tenant: string): Promise<void> {
  await trx
    .updateTable('tenant')
    .set((eb) => ({ policy_set_version: eb('policy_set_version', '+', 1), is_register_behind: 1 }))
    .where('tenant', '=', tenant)
    .execute();
}
