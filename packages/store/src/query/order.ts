import { type RawBuilder, sql } from 'kysely';

/** A column that rows are sorted by. */
export interface SortKey<C extends string = string> {
  readonly column: C;
  readonly descends: boolean;
}

/** The position of a row in an order: the values of its sort keys. */
export type Position = readonly (string | number)[];

/** The position of a row. */
export const positionOf = <C extends string>(
  row: Readonly<Record<C, string | number>>,
  keys: readonly SortKey<C>[],
): Position => keys.map(({ column }): string | number => row[column]);

/** All conditions as SQL. */
export const allOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;

/** The rows after a position. */
export const after = (keys: readonly SortKey[], position: Position): RawBuilder<boolean> => {
  const [first] = keys;
  const sign = (descends: boolean) => sql.raw(descends ? '<' : '>');
  if (first !== undefined && keys.every(({ descends }) => descends === first.descends))
    return sql`(${columnsOf(keys)}) ${sign(first.descends)} (${sql.join(position)})`;
  const steps = keys.map(({ column, descends }, at) =>
    allOf([
      ...keys.slice(0, at).map((key, index): RawBuilder<boolean> => sql`${sql.ref(key.column)} = ${position[index]}`),
      sql`${sql.ref(column)} ${sign(descends)} ${position[at]}`,
    ]),
  );
  const start =
    first === undefined ? sql`` : sql`${sql.ref(first.column)} ${sign(first.descends)}= ${position[0]} and `;
  return sql`${start}(${sql.join(
    steps.map((step) => sql`(${step})`),
    sql` or `,
  )})`;
};

/** The rows up to a position and at it. */
export const upTo = (keys: readonly SortKey[], position: Position): RawBuilder<boolean> => {
  const [first] = keys;
  if (first === undefined) return sql`1 = 1`;
  const sign = sql.raw(first.descends ? '>=' : '<=');
  if (keys.every(({ descends }) => descends === first.descends))
    return sql`(${columnsOf(keys)}) ${sign} (${sql.join(position)})`;
  return sql`${sql.ref(first.column)} ${sign} ${position[0]} and not (${after(keys, position)})`;
};

/** The columns of the keys. */
export const columnsOf = (keys: readonly SortKey[]): RawBuilder<unknown> =>
  sql.join(keys.map(({ column }) => sql.ref(column)));

/** The order of the keys. */
export const orderOf = (keys: readonly SortKey[]): RawBuilder<unknown> =>
  sql.join(keys.map(({ column, descends }) => sql`${sql.ref(column)} ${sql.raw(descends ? 'desc' : 'asc')}`));
