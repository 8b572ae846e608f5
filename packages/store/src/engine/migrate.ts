import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';

/** Migrates the schema in one transaction; takes no lock when it is up to date. Resolves with the names of what it has run. */
export async function migrate(database: Pick<Database, 'read' | 'write' | 'migrations'>): Promise<readonly string[]> {
  const provider = { getMigrations: async () => database.migrations };
  const upToDate = await database.read(async (db) =>
    (await new Migrator({ db, provider }).getMigrations()).every(({ executedAt }) => executedAt !== undefined),
  );
  const names = upToDate
    ? []
    : await database.write('shared', async (trx) => {
        const { error, results = [] } = await new Migrator({ db: trx, provider }).migrateToLatest();
        if (error !== undefined) throw error;
        return results.map(({ migrationName }) => migrationName);
      });
  await assertSchema(database);
  return names;
}

/** Rejects when the schema is not that of this version. */
export async function assertSchema({ read, migrations }: Pick<Database, 'read' | 'migrations'>): Promise<void> {
  const rows = await read((db) =>
    db.$extendTables<{ kysely_migration: { name: string } }>().selectFrom('kysely_migration').select('name').execute(),
  );
  const found = rows.map(({ name }) => name).sort();
  const expected = Object.keys(migrations);
  if (found.join() !== expected.join()) {
    throw new Error(`The database has the schema ${found.join(', ')}, this version needs ${expected.join(', ')}.`);
  }
}
