import { type RawBuilder, sql } from 'kysely';
import { smallColumn, toSmall } from './ignore-case.ts';
import { allOf } from './order.ts';

/** What a column is compared with: one of some values, the beginning or a part of a text, or a bound. */
export interface Comparison {
  readonly operator: 'eq' | 'in' | 'sw' | 'co' | 'ge' | 'le';
  readonly values: readonly (string | number)[];
  /** Whether the beginning or the part of a text is compared without differences of case. */
  readonly ignoresCase?: boolean;
}

/** A condition of a list on a field, as its feature names it. */
export interface Condition<
  Field extends string = string,
  Operator extends Comparison['operator'] = Comparison['operator'],
  Value extends string | number = string,
> {
  readonly field: Field;
  readonly operator: Operator;
  readonly values: readonly Value[];
}

/** What a field is compared with: a column, an expression, or a condition of its own. */
type ComparedWith<C> = string | RawBuilder<unknown> | ((condition: C) => RawBuilder<boolean>);

/** What each field of a feature's conditions is compared with. */
export type FilterFields<C extends Condition> = { readonly [F in C['field']]: ComparedWith<C> };

/** The rows that meet all conditions, as SQL. */
export const compileFilter = <Field extends string, C extends Condition<Field>>(
  fields: { readonly [F in Field]: ComparedWith<C> },
  conditions: readonly (C & { readonly field: Field })[],
): RawBuilder<boolean> =>
  allOf(
    conditions.map((condition) => {
      const compared = fields[condition.field];
      if (typeof compared === 'function') return compared(condition);
      return compare(typeof compared === 'string' ? sql.ref(compared) : compared, condition);
    }),
  );

/** A comparison as SQL. Both engines compare texts by their bytes. */
export function compare(column: RawBuilder<unknown>, comparison: Comparison): RawBuilder<boolean> {
  const { operator, values, ignoresCase = false } = comparison;
  const [value = ''] = values;
  if (operator === 'ge') return sql`${column} >= ${value}`;
  if (operator === 'le') return sql`${column} <= ${value}`;
  if (operator === 'in' || operator === 'eq')
    return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`;
  if (value === '') return sql`${column} is not null`;
  if (ignoresCase) return compareSmall(column, operator, toSmall(String(value)));
  const length = sql.lit([...String(value)].length);
  if (operator === 'sw') return sql`${from(column, String(value))} and substr(${column}, 1, ${length}) = ${value}`;
  // A text contains another when replacing it changes the length. This works in both engines.
  return sql`replace(${column}, ${value}, '') <> ${column}`;
}

/** Whether a column begins with a text in small letters, or contains it. */
function compareSmall(column: RawBuilder<unknown>, operator: 'sw' | 'co', part: string): RawBuilder<boolean> {
  const small = smallColumn(column, part);
  if (operator === 'co') return sql`replace(${small}, ${part}, '') <> ${small}`;
  return sql`substr(${small}, 1, ${sql.lit([...part].length)}) = ${part}`;
}

/** The range of the texts with a prefix, which an index can use: both engines compare by bytes. */
export const from = (column: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> =>
  sql`${column} >= ${prefix}${until(column, prefix)}`;

/** An upper bound of the texts with a prefix, where it ends with a letter or a digit. */
function until(column: RawBuilder<unknown>, prefix: string): RawBuilder<unknown> {
  const code = prefix.charCodeAt(prefix.length - 1);
  return code >= 126 ? sql`` : sql` and ${column} < ${prefix.slice(0, -1) + String.fromCharCode(code + 1)}`;
}
