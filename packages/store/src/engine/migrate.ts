import { Migrator } from 'kysely/migration';
import { findMisfit } from '../schema/misfit.ts';
import type { Database } from './database.ts';

/** What a schema is migrated in. */
export interface MigratedDatabase extends Pick<Database, 'read' | 'write' | 'migrations'> {
  /** Rejects where the role may not change the schema; left out, it may. */
  readonly assertOwner?: () => Promise<void>;
}

/** Migrates the schema in one transaction; takes no lock when it is up to date. Returns the names of the migrations that it ran. */
export async function migrate(database: MigratedDatabase): Promise<readonly string[]> {
  const provider = { getMigrations: async () => database.migrations };
  const upToDate = await database.read(async (db) =>
    (await new Migrator({ db, provider }).getMigrations()).every(({ executedAt }) => executedAt !== undefined),
  );
  if (!upToDate) await database.assertOwner?.();
  const names = upToDate
    ? []
    : await database.write('shared', async (trx) => {
        const failures: unknown[] = [];
        const watched = { getMigrations: async () => watch(database.migrations, (failure) => failures.push(failure)) };
        const { error, results = [] } = await new Migrator({ db: trx, provider: watched }).migrateToLatest();
        // Kysely's own error is often that of its lock, which it cannot release in a transaction that has failed.
        if (error !== undefined) throw failures[0] ?? error;
        return results.map(({ migrationName }) => migrationName);
      });
  await assertSchema(database);
  return names;
}

/** Migrations that call `onFailure` with the error of one that fails, before they reject with it. */
const watch = (migrations: Database['migrations'], onFailure: (failure: unknown) => void): Database['migrations'] =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      {
        up: (db) =>
          up(db).catch((failure) => {
            onFailure(failure);
            throw failure;
          }),
      },
    ]),
  );

/** Rejects when this version cannot work on the schema, which may be a later one. */
export async function assertSchema({ read, migrations }: Pick<Database, 'read' | 'migrations'>): Promise<void> {
  const rows = await read((db) =>
    db.$extendTables<{ kysely_migration: { name: string } }>().selectFrom('kysely_migration').select('name').execute(),
  );
  const run = rows.map(({ name }) => name);
  const known = Object.keys(migrations);
  const missing = known.filter((name) => !run.includes(name));
  const misfit =
    findMisfit(known, { migrations: run, hasTables: true }) ??
    (missing.length > 0 ? `it lacks ${missing.join(', ')}` : null);
  if (misfit !== null) throw new Error(`The schema of the database does not fit: ${misfit}.`);
}
