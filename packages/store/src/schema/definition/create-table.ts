import { type Engine, isOfTenants, type Table } from './define-table.ts';
import { distributeWithTenants, keepOnCoordinator } from './placement.ts';

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

/** The statements of an engine that create a table with its indexes and what else belongs to it. */
export function createTable(table: Table, engine: Engine): readonly string[] {
  const columns = Object.entries(table.columns).map(([column, type]) => {
    const native = NATIVE_TYPES[engine][type.replace('?', '')];
    return type.endsWith('?') ? `${column} ${native}` : `${column} ${native} not null`;
  });
  const ofEngine = table.engineColumns?.[engine];
  if (ofEngine !== undefined) columns.push(ofEngine);
  const constraints = [`primary key (${typeof table.key === 'string' ? table.key : table.key[engine]})`];
  if (table.foreignKey !== undefined) constraints.push(table.foreignKey);
  const options = engine === 'sqlite' && table.isClustered ? ' without rowid' : '';
  return [
    `create table ${table.name} (${[...columns, ...constraints].join(', ')})${options}`,
    ...(engine === 'postgres' ? [placementOf(table)] : []),
    ...(table.indexes ?? []),
    ...(table[engine] ?? []),
  ];
}

const placementOf = (table: Table): string =>
  isOfTenants(table) ? distributeWithTenants(table.name) : keepOnCoordinator(table.name);
