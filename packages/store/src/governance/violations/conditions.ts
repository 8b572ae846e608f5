import { SOD_VIOLATION_LEVELS } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import { compare, from } from '../../query/filter.ts';
import { asciiToSmall, startOf, toSmall } from '../../query/ignore-case.ts';
import type { RegisterCondition } from './query.ts';

/** A condition on one column of a violation. */
export interface ColumnCondition {
  readonly column:
    | 'status'
    | 'level_rank'
    | 'policy_id'
    | 'owner_id'
    | 'owner_name'
    | 'identity_id'
    | 'policy_name'
    | 'target_name'
    | 'created'
    | 'modified'
    | 'closed';
  readonly operator: RegisterCondition['operator'];
  readonly values: readonly (string | number)[];
  readonly ignoresCase?: boolean;
  /** Whether the values are compared with the column as `lower` writes it. */
  readonly isSmall?: boolean;
  /** What reads the value of a row if it is no column of the table. No index has it. */
  readonly read?: RawBuilder<unknown>;
}

const COLUMNS = {
  status: 'status',
  level: 'level_rank',
  policyId: 'policy_id',
  ownerId: 'owner_id',
  ownedBy: 'owner_id',
  ownerName: 'owner_name',
  targetId: 'identity_id',
  policyName: 'policy_name',
  targetName: 'target_name',
  created: 'created',
  closed: 'closed',
} as const;

const NAMES: readonly RegisterCondition['field'][] = ['policyName', 'ownerName', 'targetName'];

/** A condition as a column has it. */
export const columnCondition = ({ field, operator, values }: RegisterCondition): ColumnCondition => ({
  column: COLUMNS[field],
  operator: operator === 'eq' ? 'in' : operator,
  values: field === 'level' ? values.map(rankOf) : values,
  // Parts of names are searched for as in the look-ups.
  ignoresCase: NAMES.includes(field),
});

const LEVELS: readonly string[] = SOD_VIOLATION_LEVELS;

const rankOf = (level: string): number => LEVELS.indexOf(level) + 1;

/** Columns whose index has their texts as `lower` writes them, to find parts of names without case. */
const SMALL_INDEXES: readonly ColumnCondition['column'][] = ['policy_name', 'target_name'];

const smallOf = ({ column }: ColumnCondition): RawBuilder<unknown> => sql`lower(${sql.ref(column)})`;

const textOf = (condition: ColumnCondition): RawBuilder<unknown> =>
  condition.isSmall === true ? smallOf(condition) : sql.ref(condition.column);

/** What an index can find of a condition on the beginning of a text; empty where it can find nothing. */
const foundStartOf = ({ values: [value = ''] }: ColumnCondition): string => startOf(toSmall(String(value)));

/** A condition that an index of its column can serve. */
export function indexed(condition: ColumnCondition): RawBuilder<boolean> {
  const { read, column, operator, values, isSmall } = condition;
  if (read !== undefined) return compare(read, condition);
  const met = compare(textOf(condition), condition);
  if (isSmall === true || !SMALL_INDEXES.includes(column)) return met;
  if (operator === 'sw' && foundStartOf(condition) !== '')
    return sql`${from(smallOf(condition), foundStartOf(condition))} and ${met}`;
  if (operator !== 'in' || values.length === 0) return met;
  const small = values.map((value) => asciiToSmall(String(value)));
  return sql`${smallOf(condition)} in (${sql.join(small)}) and ${met}`;
}

/** Whether an index finds what meets a condition without reading all else. */
export const isIndexed = (condition: ColumnCondition): boolean =>
  condition.operator !== 'co' &&
  !(condition.operator === 'sw' && condition.values[0] !== '' && foundStartOf(condition) === '');

/** The same as an expression that no index has, so that the engine takes the index that is meant. */
export const unindexed = (condition: ColumnCondition): RawBuilder<boolean> => {
  if (condition.read !== undefined) return indexed(condition);
  const text = textOf(condition);
  return compare(condition.column === 'level_rank' ? sql`(${text} + 0)` : sql`(${text} || '')`, condition);
};
