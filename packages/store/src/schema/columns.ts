import type { SearchTransaction } from '../search/index-writes.ts';

export type Engine = 'sqlite' | 'postgres';

/** The type of a column's values by the name of its type; `?` allows null. */
interface ColumnTypes {
  text: string;
  'text?': string | null;
  integer: number;
  'integer?': number | null;
  bigint: number;
  'bigint?': number | null;
  real: number;
  bytes: Uint8Array;
}

/** The columns of a table in their order. */
export type Columns = Readonly<Record<string, keyof ColumnTypes>>;

/** The rows of a table with these columns. */
export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: ColumnTypes[C[Name]] };

// Text is compared by its bytes, as SQLite does, whatever the collation of the PostgreSQL database.
const NATIVE_TYPES: Readonly<Record<Engine, Readonly<Record<string, string>>>> = {
  sqlite: { text: 'text', integer: 'integer', bigint: 'bigint', real: 'real', bytes: 'blob' },
  postgres: {
    text: 'text collate "C"',
    integer: 'integer',
    bigint: 'bigint',
    real: 'double precision',
    bytes: 'bytea',
  },
};

/** The `create table` statement of an engine. Constraints follow the columns. */
export function createTable(engine: Engine, name: string, parts: readonly [Columns, ...string[]]): string {
  const [columns, ...constraints] = parts;
  const definitions = Object.entries(columns).map(([column, type]) => {
    const native = NATIVE_TYPES[engine][type.replace('?', '')];
    return type.endsWith('?') ? `${column} ${native}` : `${column} ${native} not null`;
  });
  return `create table ${name} (${[...definitions, ...constraints].join(', ')})`;
}

/** A part of a migration: a statement, or work in its transaction. */
export type MigrationStep = string | ((db: SearchTransaction) => Promise<void>);
