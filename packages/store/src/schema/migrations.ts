import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { REFUSE_IN_POSTGRES } from './definition/append-only.ts';
import { createTable } from './definition/create-table.ts';
import type { Engine } from './definition/define-table.ts';
import { SHARED_CHANGE, TENANT_CHANGE } from './tables/tenant-change.ts';
import { TABLES } from './tables.ts';

/** The statements of migrations by name, in order. */
export type Statements = Readonly<Record<string, readonly string[]>>;

/** The migrations of an engine. `further` ones follow those of this version; tests of upgrades add them. */
export function migrationsOf(engine: Engine, further: Statements = {}): Readonly<Record<string, Migration>> {
  const all = { ...statementsOf(engine), ...further };
  return Object.fromEntries(Object.entries(all).map(([name, statements]) => [name, toMigration(statements)]));
}

/** The statements of this version's migrations, by the rules of `docs/guides/schema-changes.md`. */
export const statementsOf = (engine: Engine): Statements => ({ '0001-initial': initial(engine) });

/** Indexes of texts need it. The owner of a database may create it. */
const CREATE_TRIGRAMS = 'create extension if not exists pg_trgm';

/** Creates the schema of an empty database. */
const initial = (engine: Engine): readonly string[] => [
  ...(engine === 'postgres' ? [CREATE_TRIGRAMS, ...REFUSE_IN_POSTGRES, ...TENANT_CHANGE, ...SHARED_CHANGE] : []),
  ...TABLES.flatMap((table) => createTable(table, engine)),
];

const toMigration = (statements: readonly string[]): Migration => ({
  up: async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});
