import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** A condition on a text column: one of the values, or a prefix or a substring, case-sensitive. */
export interface TextCondition {
  readonly operator: 'eq' | 'in' | 'sw' | 'co';
  readonly values: readonly string[];
}

/** Adds a condition on a column to a query. */
export function whereText<T extends keyof Tables>(
  query: SelectQueryBuilder<Tables, T, object>,
  column: string,
  { operator, values }: TextCondition,
): SelectQueryBuilder<Tables, T, object> {
  const [value = ''] = values;
  const text = sql.ref(column);
  if (operator === 'sw') return query.where(sql<boolean>`substr(${text}, 1, ${sql.lit([...value].length)}) = ${value}`);
  if (operator !== 'co') return query.where(sql<boolean>`${text} in (${sql.join(values)})`);
  // A text contains another when replacing it changes the length. This works in both engines.
  return value === '' ? query : query.where(sql<boolean>`replace(${text}, ${value}, '') <> ${text}`);
}
