import type { Transaction } from 'kysely';
import { changeScope, type TenantScope } from '../engine/scope.ts';
import type { Tables } from '../schema/tables.ts';

/** Which identity, of which tenant. */
export interface AccountKey {
  readonly tenant: string;
  readonly identityId: string;
}

/** Writes of sign-ins wait for each other, and not for others of the tenant, such as an import. */
export const signInScope = (of: ChangeOf): TenantScope => changeScope(of, 'signIn');

/** The same for writes that change or end sessions: every process forgets those that it has read. */
export const sessionScope = (of: ChangeOf): TenantScope => changeScope(of, 'sessions');

type ChangeOf = Parameters<typeof changeScope>[0];

/**
 * Creates the row that all others of the identity depend on, if it is missing; false when there is no such identity. The
 * identity cannot be deleted until the transaction ends.
 */
export async function ensureAccount(trx: Transaction<Tables>, { tenant, identityId }: AccountKey): Promise<boolean> {
  const found = await trx
    .selectFrom('identity')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', identityId)
    .forKeyShare()
    .executeTakeFirst();
  if (found === undefined) return false;
  await trx
    .insertInto('sign_in_account')
    .values({
      tenant,
      identity_id: identityId,
      totp_step: 0,
      password_hash: null,
      password_changed: null,
      password_used_link: null,
      totp_secret: null,
      totp_created: null,
      totp_used_link: null,
      last_login_ms: null,
      current_login_ms: null,
      last_unlocked: null,
    })
    .onConflict((conflict) => conflict.columns(['tenant', 'identity_id']).doNothing())
    .execute();
  return true;
}
