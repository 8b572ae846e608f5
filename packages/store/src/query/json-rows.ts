import { type RawBuilder, sql } from 'kysely';

/** Rows as the table `given` of a query of PostgreSQL, bound as one parameter. A `?` behind a type does not matter. */
export function jsonRows(columns: Readonly<Record<string, string>>, rows: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows, Object.keys(columns));
  const definitions = Object.entries(columns).map(
    ([name, type]) => sql`${sql.ref(name)} ${sql.raw(type.replace('?', ''))}`,
  );
  return sql`json_to_recordset(${json}::json) as given (${sql.join(definitions)})`;
}
