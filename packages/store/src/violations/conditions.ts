import { SOD_VIOLATION_LEVELS } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { RegisterCondition, RegisterPlace, SortKey } from './query.ts';

/** A condition on one column of a violation. */
export interface ColumnCondition {
  readonly column:
    | 'status'
    | 'level_rank'
    | 'policy_id'
    | 'owner_id'
    | 'identity_id'
    | 'policy_name'
    | 'target_name'
    | 'created'
    | 'closed';
  readonly operator: RegisterCondition['operator'];
  readonly values: readonly (string | number)[];
}

const COLUMNS = {
  status: 'status',
  level: 'level_rank',
  policyId: 'policy_id',
  ownerId: 'owner_id',
  targetId: 'identity_id',
  policyName: 'policy_name',
  targetName: 'target_name',
  created: 'created',
  closed: 'closed',
} as const;

/** A condition as a column has it. The name of an owner is no column. */
export const columnCondition = ({
  field,
  operator,
  values,
}: RegisterCondition & { readonly field: keyof typeof COLUMNS }): ColumnCondition => ({
  column: COLUMNS[field],
  operator: operator === 'eq' ? 'in' : operator,
  values: field === 'level' ? values.map(rankOf) : values,
});

const rankOf = (level: string): number => (SOD_VIOLATION_LEVELS as readonly string[]).indexOf(level) + 1;

/** All conditions as SQL. */
export const allOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;

/** A condition that an index of its column can serve. */
export const indexed = (condition: ColumnCondition): RawBuilder<boolean> =>
  conditionOn(sql.ref(condition.column), condition);

/** The same as an expression that no index has, so that the engine takes the index that is meant. */
export const unindexed = (condition: ColumnCondition): RawBuilder<boolean> => {
  const column = sql.ref(condition.column);
  return conditionOn(condition.column === 'level_rank' ? sql`(${column} + 0)` : sql`(${column} || '')`, condition);
};

function conditionOn(column: RawBuilder<unknown>, { operator, values }: ColumnCondition): RawBuilder<boolean> {
  const [value = ''] = values;
  if (operator === 'ge') return sql`${column} >= ${value}`;
  if (operator === 'le') return sql`${column} <= ${value}`;
  if (operator === 'in') return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`;
  if (value === '') return sql`1 = 1`;
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

/** The rows after a place. */
export const after = (keys: readonly SortKey[], place: RegisterPlace): RawBuilder<boolean> => {
  const [first] = keys;
  const sign = (descends: boolean) => sql.raw(descends ? '<' : '>');
  if (first !== undefined && keys.every(({ descends }) => descends === first.descends))
    return sql`(${columnsOf(keys)}) ${sign(first.descends)} (${sql.join(place)})`;
  const steps = keys.map(({ column, descends }, at) =>
    allOf([
      ...keys.slice(0, at).map((key, index): RawBuilder<boolean> => sql`${sql.ref(key.column)} = ${place[index]}`),
      sql`${sql.ref(column)} ${sign(descends)} ${place[at]}`,
    ]),
  );
  const start = first === undefined ? sql`` : sql`${sql.ref(first.column)} ${sign(first.descends)}= ${place[0]} and `;
  return sql`${start}(${sql.join(
    steps.map((step) => sql`(${step})`),
    sql` or `,
  )})`;
};

/** The rows up to a place and at it. */
export const upTo = (keys: readonly SortKey[], place: RegisterPlace): RawBuilder<boolean> => {
  const [first] = keys;
  if (first === undefined) return sql`1 = 1`;
  const sign = sql.raw(first.descends ? '>=' : '<=');
  if (keys.every(({ descends }) => descends === first.descends))
    return sql`(${columnsOf(keys)}) ${sign} (${sql.join(place)})`;
  return sql`${sql.ref(first.column)} ${sign} ${place[0]} and not (${after(keys, place)})`;
};

const columnsOf = (keys: readonly SortKey[]) => sql.join(keys.map(({ column }) => sql.ref(column)));

/** The order of the keys. */
export const orderOf = (keys: readonly SortKey[]): RawBuilder<unknown> =>
  sql.join(keys.map(({ column, descends }) => sql`${sql.ref(column)} ${sql.raw(descends ? 'desc' : 'asc')}`));
