import type { Kysely } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../schema/tables.ts';
import { ensureAccount, signInScope } from './account.ts';

/** A sign-in between two of its steps. */
export interface PendingSignIn {
  /** Null until a username names one identity. */
  readonly identityId: string | null;
  /** What has been proven so far and what is expected next, as JSON text. */
  readonly state: string;
  readonly expiresMs: number;
}

/** Pending sign-ins by the SHA-256 of their tokens, in hexadecimal digits. */
export interface PendingSignInStore {
  /** False when there is no such identity. */
  create(tenant: string, hash: string, pending: PendingSignIn & { readonly nowMs: number }): Promise<boolean>;
  find(tenant: string, hash: string, nowMs: number): Promise<PendingSignIn | null>;
  /** Replaces the state, if it is still the one before; false otherwise, or when it has ended. */
  update(
    tenant: string,
    hash: string,
    change: { readonly before: string; readonly after: PendingSignIn; readonly nowMs: number },
  ): Promise<boolean>;
  /** Removes and returns it, so that it is used once. */
  take(tenant: string, hash: string, nowMs: number): Promise<PendingSignIn | null>;
}

export const createPendingSignInStore = (database: Database): PendingSignInStore => ({
  create: (tenant, hash, { identityId, state, expiresMs }) =>
    database.write(signInScope({ tenant }), async (trx) => {
      if (identityId !== null && !(await ensureAccount(trx, { tenant, identityId }))) return false;
      await trx
        .insertInto('pending_sign_in')
        .values({ tenant, hash, identity_id: identityId, state, expires_ms: expiresMs })
        .execute();
      return true;
    }),
  find: (tenant, hash, nowMs) => database.read((db) => findPending(db, tenant, { hash, nowMs })),
  update: (tenant, hash, { before, after, nowMs }) =>
    database.write(signInScope({ tenant }), async (trx) => {
      const { identityId, state, expiresMs } = after;
      if (identityId !== null && !(await ensureAccount(trx, { tenant, identityId }))) return false;
      const { numUpdatedRows } = await trx
        .updateTable('pending_sign_in')
        .set({ identity_id: identityId, state, expires_ms: expiresMs })
        .where('tenant', '=', tenant)
        .where('hash', '=', hash)
        .where('state', '=', before)
        .where('expires_ms', '>', nowMs)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    }),
  take: (tenant, hash, nowMs) =>
    database.write(signInScope({ tenant }), async (trx) => {
      const pending = await findPending(trx, tenant, { hash, nowMs });
      await trx.deleteFrom('pending_sign_in').where('tenant', '=', tenant).where('hash', '=', hash).execute();
      return pending;
    }),
});

async function findPending(
  db: Kysely<Tables>,
  tenant: string,
  { hash, nowMs }: { readonly hash: string; readonly nowMs: number },
): Promise<PendingSignIn | null> {
  const row = await db
    .selectFrom('pending_sign_in')
    .select(['identity_id', 'state', 'expires_ms'])
    .where('tenant', '=', tenant)
    .where('hash', '=', hash)
    .where('expires_ms', '>', nowMs)
    .executeTakeFirst();
  return row === undefined ? null : { identityId: row.identity_id, state: row.state, expiresMs: row.expires_ms };
}
