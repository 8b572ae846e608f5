import { Migrator } from 'kysely/migration';
import type { Database, Reads } from './database.ts';
import * as initial from './migrations/0001-initial.ts';
import * as rulebookChanges from './migrations/0002-rulebook-changes.ts';

const MIGRATIONS = { '0001-initial': initial, '0002-rulebook-changes': rulebookChanges };

/** Brings the schema up to date in one transaction; takes no lock where it is already. */
export async function migrate(database: Database): Promise<void> {
  const upToDate = await database.read(async (db) =>
    (await new Migrator({ db, provider }).getMigrations()).every(({ executedAt }) => executedAt !== undefined),
  );
  if (!upToDate) {
    await database.write(async (trx) => {
      const { error } = await new Migrator({ db: trx, provider }).migrateToLatest();
      if (error !== undefined) throw error;
    });
  }
  await assertSchema(database);
}

/** Rejects when the schema is not exactly the one of this version. */
export async function assertSchema({ read }: Reads): Promise<void> {
  const rows = await read((db) =>
    db.$extendTables<{ kysely_migration: { name: string } }>().selectFrom('kysely_migration').select('name').execute(),
  );
  const found = rows.map(({ name }) => name).sort();
  const expected = Object.keys(MIGRATIONS);
  if (found.join() !== expected.join()) {
    throw new Error(`The database has the schema ${found.join(', ')}, this version needs ${expected.join(', ')}.`);
  }
}

const provider = { getMigrations: async () => MIGRATIONS };
