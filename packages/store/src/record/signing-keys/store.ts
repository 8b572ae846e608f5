import type { AuditContext } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { changeScope } from '../../engine/scope.ts';
import { insertMissing } from '../../query/insert.ts';
import type { RetiredSigningKeyRow, SigningKeyRow, Tables } from '../../schema/tables.ts';
import { recordChange } from '../audit/append-event.ts';

/** A token-signing key. `issuer` is the base address of the processes that sign with it. */
export interface SigningKey {
  readonly kid: string;
  readonly issuer: string;
  /** The private key as a JWK in JSON text. */
  readonly privateJwk: string;
  readonly created: string;
}

/** A key that another has replaced. Its private key is gone. */
export interface RetiredSigningKey {
  readonly kid: string;
  readonly issuer: string;
  /** The public key as a JWK in JSON text. */
  readonly publicJwk: string;
  readonly created: string;
  readonly retired: string;
  /** The instant from which on none of its tokens is accepted. */
  readonly tokensEnd: string;
}

export interface SigningKeyStore {
  /** The keys to sign with, one an issuer. */
  list(): Promise<readonly SigningKey[]>;
  /** The keys that verify what they have signed, the oldest first. */
  listRetired(): Promise<readonly RetiredSigningKey[]>;
  /** Returns the stored key of the issuer. When processes race, the first stored key wins. */
  createFor(key: SigningKey): Promise<SigningKey>;
  /**
   * Replaces the key of the issuer of `next`, keeps the public key of the one before, and records it in the audit log. Tokens of
   * keys that the issuer retired earlier end no later than those of that one. False if that is not the present key.
   */
  replace(auditContext: AuditContext, next: SigningKey, before: RetiredSigningKey): Promise<boolean>;
}

export function createSigningKeyStore(database: Database): SigningKeyStore {
  return {
    list: async () => {
      const rows = await database.read((db) => db.selectFrom('signing_key').selectAll().orderBy('issuer').execute());
      return rows.map(rowToSigningKey);
    },
    listRetired: async () => {
      const rows = await database.read((db) =>
        db.selectFrom('retired_signing_key').selectAll().orderBy('retired').orderBy('kid').execute(),
      );
      return rows.map(rowToRetiredKey);
    },
    createFor: (key) =>
      database.write('shared', async (trx) => {
        await trx
          .insertInto('signing_key')
          .values(signingKeyToRow(key))
          .onConflict((conflict) => conflict.column('issuer').doNothing())
          .execute();
        return rowToSigningKey(
          await trx.selectFrom('signing_key').selectAll().where('issuer', '=', key.issuer).executeTakeFirstOrThrow(),
        );
      }),
    replace: (auditContext, next, before) =>
      database.writeShared(changeScope(auditContext), {
        change: (trx) => replaceKey(trx, next, before),
        record: (trx) => recordReplacement(trx, auditContext, { next, before }),
      }),
  };
}

async function replaceKey(trx: Transaction<Tables>, next: SigningKey, before: RetiredSigningKey): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('signing_key')
    .set(signingKeyToRow(next))
    .where('issuer', '=', before.issuer)
    .where('kid', '=', before.kid)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await trx
    .updateTable('retired_signing_key')
    .set({ tokens_end: before.tokensEnd })
    .where('issuer', '=', before.issuer)
    .where('tokens_end', '>', before.tokensEnd)
    .execute();
  await trx.insertInto('retired_signing_key').values(retiredKeyToRow(before)).execute();
  return true;
}

async function recordReplacement(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { next, before }: { readonly next: SigningKey; readonly before: RetiredSigningKey },
): Promise<void> {
  const shown = { kid: before.kid, issuer: before.issuer, created: before.created };
  await recordChange(trx, {
    auditContext,
    resource: { type: 'SIGNING_KEY', id: next.kid },
    before: shown,
    after: { ...shown, kid: next.kid, created: next.created, retired: before.kid, tokensEnd: before.tokensEnd },
  });
}

/** Keeps keys of another database, unless they are known. */
export const keepRetiredKeys = (trx: Transaction<Tables>, keys: readonly RetiredSigningKey[]): Promise<void> =>
  insertMissing(trx, 'retired_signing_key', keys.map(retiredKeyToRow));

const rowToSigningKey = (row: SigningKeyRow): SigningKey => ({
  kid: row.kid,
  issuer: row.issuer,
  privateJwk: row.private_jwk,
  created: row.created,
});

const signingKeyToRow = ({ issuer, kid, privateJwk, created }: SigningKey): SigningKeyRow => ({
  issuer,
  kid,
  private_jwk: privateJwk,
  created,
});

const rowToRetiredKey = ({
  public_jwk: publicJwk,
  tokens_end: tokensEnd,
  ...row
}: RetiredSigningKeyRow): RetiredSigningKey => ({ ...row, publicJwk, tokensEnd });

const retiredKeyToRow = ({ publicJwk, tokensEnd, ...key }: RetiredSigningKey): RetiredSigningKeyRow => ({
  ...key,
  public_jwk: publicJwk,
  tokens_end: tokensEnd,
});
