import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../engine/is-postgres.ts';

export type ColumnType = 'text' | 'integer' | 'bigint';

/** Rows as a table of a query, bound as one parameter. */
export function jsonRows(
  db: QueryExecutorProvider,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly object[],
): RawBuilder<unknown> {
  const names = Object.keys(columns);
  const json = JSON.stringify(rows, names);
  if (isPostgres(db)) {
    const types = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name] ?? '')}`);
    return sql`json_to_recordset(${json}::json) as given (${sql.join(types)})`;
  }
  const values = names.map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(values)} from json_each(${json})) as given`;
}
