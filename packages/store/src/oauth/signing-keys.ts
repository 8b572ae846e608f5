import type { Database } from '../engine/database.ts';
import type { SigningKeyRow } from '../schema/tables.ts';

/** A token-signing key. `issuer` is the base address of the processes that sign with it. */
export interface SigningKey {
  readonly kid: string;
  readonly issuer: string;
  /** The private key as a JWK in JSON text. */
  readonly privateJwk: string;
  readonly created: string;
}

export interface SigningKeyStore {
  list(): Promise<readonly SigningKey[]>;
  /** Returns the stored key of the issuer. When processes race, the first stored key wins. */
  createFor(key: SigningKey): Promise<SigningKey>;
}

export function createSigningKeyStore(database: Database): SigningKeyStore {
  return {
    list: async () => {
      const rows = await database.read((db) => db.selectFrom('signing_key').selectAll().orderBy('issuer').execute());
      return rows.map(rowToSigningKey);
    },
    createFor: (key) =>
      database.write('shared', async (trx) => {
        await trx
          .insertInto('signing_key')
          .values({ issuer: key.issuer, kid: key.kid, private_jwk: key.privateJwk, created: key.created })
          .onConflict((conflict) => conflict.column('issuer').doNothing())
          .execute();
        return rowToSigningKey(
          await trx.selectFrom('signing_key').selectAll().where('issuer', '=', key.issuer).executeTakeFirstOrThrow(),
        );
      }),
  };
}

const rowToSigningKey = (row: SigningKeyRow): SigningKey => ({
  kid: row.kid,
  issuer: row.issuer,
  privateJwk: row.private_jwk,
  created: row.created,
});
