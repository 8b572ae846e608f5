import type { Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { KEY_IN_USE, type KeyCheck } from '../../schema/tables/secret-key.ts';
import type { Tables } from '../../schema/tables.ts';

/** How the key of the secrets of this database is recognized. */
export interface SecretKeyStore {
  /** Null before the first key. */
  readCheck(): Promise<KeyCheck | null>;
  /** Stores the check of the first key. Returns the stored one: when processes race, the first wins. */
  createCheck(check: KeyCheck): Promise<KeyCheck>;
  /** Replaces the check of an earlier key; without effect when another process has replaced it. */
  replaceCheck(before: KeyCheck, after: KeyCheck): Promise<void>;
}

export function createSecretKeyStore(database: Database): SecretKeyStore {
  return {
    readCheck: () => database.read(findCheck),
    createCheck: (check) =>
      database.write('shared', async (trx) => {
        const found = await findCheck(trx);
        if (found !== null) return found;
        await trx
          .insertInto('secret_key')
          .values({ name: KEY_IN_USE, ...toColumns(check) })
          .execute();
        return check;
      }),
    replaceCheck: (before, after) =>
      database.write('shared', async (trx) => {
        await trx
          .updateTable('secret_key')
          .set(toColumns(after))
          .where('name', '=', KEY_IN_USE)
          .where('check_value', '=', before.checkValue)
          .execute();
      }),
  };
}

async function findCheck(db: Pick<Transaction<Tables>, 'selectFrom'>): Promise<KeyCheck | null> {
  const row = await db.selectFrom('secret_key').selectAll().where('name', '=', KEY_IN_USE).executeTakeFirst();
  return row === undefined ? null : { salt: row.salt, checkValue: row.check_value, created: row.created };
}

const toColumns = ({ salt, checkValue, created }: KeyCheck) => ({ salt, check_value: checkValue, created });
