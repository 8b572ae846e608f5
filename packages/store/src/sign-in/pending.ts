import type { Kysely } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../schema/tables.ts';
import { ensureAccount, signInScope } from './account.ts';
import { isLinkCurrent, isOfValidLink } from './link-generation.ts';
import { isUsedLinkPresent } from './used-links.ts';

/** A sign-in between two of its steps. */
export interface PendingSignIn {
  /** Null until a username names one identity. */
  readonly identityId: string | null;
  /** The generation of the link that it began with, with which it ends; null or left out without one. */
  readonly linkGeneration?: number | null;
  /** The used link that it derives from, directly or through a proven factor, and ends with; null or omitted for none. */
  readonly usedLink?: string | null;
  /** What has been proven so far and what is expected next, as JSON text. */
  readonly state: string;
  readonly expiresMs: number;
}

/** Pending sign-ins by the SHA-256 of their tokens, in hexadecimal digits. */
export interface PendingSignInStore {
  /** False when there is no such identity, or the link has ended. */
  create(tenant: string, hash: string, pending: PendingSignIn & { readonly nowMs: number }): Promise<boolean>;
  find(tenant: string, hash: string, nowMs: number): Promise<PendingSignIn | null>;
  /** Replaces the state, if it is still the one before; false otherwise, or when it has ended. The link stays. */
  update(
    tenant: string,
    hash: string,
    change: {
      readonly before: string;
      readonly after: Omit<PendingSignIn, 'linkGeneration' | 'usedLink'>;
      readonly nowMs: number;
    },
  ): Promise<boolean>;
  /** Removes and returns it, so that it is used once. */
  take(tenant: string, hash: string, nowMs: number): Promise<PendingSignIn | null>;
}

export const createPendingSignInStore = (database: Database): PendingSignInStore => ({
  create: (tenant, hash, { identityId, linkGeneration = null, usedLink = null, state, expiresMs }) =>
    database.write(signInScope({ tenant }), async (trx) => {
      if (identityId !== null && !(await ensureAccount(trx, { tenant, identityId }))) return false;
      const key = { tenant, identityId: identityId ?? '' };
      if (!(await isLinkCurrent(trx, key, linkGeneration))) return false;
      if (!(await isUsedLinkPresent(trx, key, usedLink))) return false;
      await trx
        .insertInto('pending_sign_in')
        .values({
          tenant,
          hash,
          identity_id: identityId,
          link_generation: linkGeneration,
          used_link: usedLink,
          state,
          expires_ms: expiresMs,
        })
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
        .where(isOfValidLink('pending_sign_in', tenant))
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
    .select(['identity_id', 'link_generation', 'used_link', 'state', 'expires_ms'])
    .where('tenant', '=', tenant)
    .where('hash', '=', hash)
    .where('expires_ms', '>', nowMs)
    .where(isOfValidLink('pending_sign_in', tenant))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { identity_id: identityId, link_generation: linkGeneration, used_link: usedLink, state } = row;
  return { identityId, linkGeneration, usedLink, state, expiresMs: row.expires_ms };
}
