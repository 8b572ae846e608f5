import { type RawBuilder, sql } from 'kysely';

/** What a column is compared with: one of some values, the beginning or a part of a text, or a bound. */
export interface Comparison {
  readonly operator: 'eq' | 'in' | 'sw' | 'co' | 'ge' | 'le';
  readonly values: readonly (string | number)[];
}

/** A comparison as SQL. Both engines compare texts by their bytes. */
export function compare(column: RawBuilder<unknown>, { operator, values }: Comparison): RawBuilder<boolean> {
  const [value = ''] = values;
  if (operator === 'ge') return sql`${column} >= ${value}`;
  if (operator === 'le') return sql`${column} <= ${value}`;
  if (operator === 'in' || operator === 'eq')
    return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`;
  if (value === '') return sql`${column} is not null`;
  const length = sql.lit([...String(value)].length);
  // Both engines compare by bytes: a text with the prefix is not before it, which an index can use.
  if (operator === 'sw')
    return sql`${column} >= ${value} and substr(${column}, 1, ${length}) = ${value}${until(column, String(value))}`;
  // A text contains another when replacing it changes the length. This works in both engines.
  return sql`replace(${column}, ${value}, '') <> ${column}`;
}

/** An upper bound of the texts with a prefix, where it ends with a letter or a digit. */
function until(column: RawBuilder<unknown>, prefix: string): RawBuilder<unknown> {
  const code = prefix.charCodeAt(prefix.length - 1);
  return code >= 126 ? sql`` : sql` and ${column} < ${prefix.slice(0, -1) + String.fromCharCode(code + 1)}`;
}
