import { type RawBuilder, sql } from 'kysely';
import { compare } from './filter.ts';

/** An attribute with its value as they stand in a column of attributes, where nothing else can stand like this. */
const pairOf = (name: string, value: string): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

/** Whether the record of a table has one of these values of an attribute. */
export function attributeCondition(table: string, name: string, values: readonly string[]): RawBuilder<boolean> {
  const column = sql.ref(`${table}.attributes`);
  return sql`(${sql.join(
    values.map((value) => compare(column, { operator: 'co', values: [pairOf(name, value)] })),
    sql` or `,
  )})`;
}
