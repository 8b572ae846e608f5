import type { Transaction } from 'kysely';
import { changeScope, type TenantScope } from '../engine/scope.ts';
import type { Tables } from '../schema/tables.ts';

export interface AccountKey {
  readonly tenant: string;
  readonly identityId: string;
}

/** Sign-in writes are serialized among themselves, so they do not wait for other writes of the tenant, such as an import. */
export const signInScope = (of: ChangeOf): TenantScope => changeScope(of, 'signIn');

/** For writes that change or end sessions: every process evicts them from its cache. */
export const sessionScope = (of: ChangeOf): TenantScope => changeScope(of, 'sessions');

type ChangeOf = Parameters<typeof changeScope>[0];

/** Columns of an account without a password. */
export const NO_PASSWORD = { password_hash: null, password_changed: null, password_used_link: null } as const;

/** Columns of an account without an authenticator app. */
export const NO_TOTP = { totp_secret: null, totp_created: null, totp_used_link: null } as const;

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
      ...NO_PASSWORD,
      ...NO_TOTP,
      last_login_ms: null,
      current_login_ms: null,
      last_unlocked: null,
    })
    .onConflict((conflict) => conflict.columns(['tenant', 'identity_id']).doNothing())
    .execute();
  return true;
}
