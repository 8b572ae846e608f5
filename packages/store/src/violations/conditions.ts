import { SOD_VIOLATION_LEVELS } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import { compare } from '../ordered/comparison.ts';
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
    | 'closed';
  readonly operator: RegisterCondition['operator'];
  readonly values: readonly (string | number)[];
  /** What reads the value of a row if it is no column of the table. No index has it. */
  readonly read?: RawBuilder<unknown>;
}

const COLUMNS = {
  status: 'status',
  level: 'level_rank',
  policyId: 'policy_id',
  ownerId: 'owner_id',
  ownerName: 'owner_name',
  targetId: 'identity_id',
  policyName: 'policy_name',
  targetName: 'target_name',
  created: 'created',
  closed: 'closed',
} as const;

/** A condition as a column has it. */
export const columnCondition = ({ field, operator, values }: RegisterCondition): ColumnCondition => ({
  column: COLUMNS[field],
  operator: operator === 'eq' ? 'in' : operator,
  values: field === 'level' ? values.map(rankOf) : values,
});

const rankOf = (level: string): number => (SOD_VIOLATION_LEVELS as readonly string[]).indexOf(level) + 1;

/** A condition that an index of its column can serve. */
export const indexed = (condition: ColumnCondition): RawBuilder<boolean> =>
  compare(condition.read ?? sql.ref(condition.column), condition);

/** The same as an expression that no index has, so that the engine takes the index that is meant. */
export const unindexed = (condition: ColumnCondition): RawBuilder<boolean> => {
  if (condition.read !== undefined) return indexed(condition);
  const column = sql.ref(condition.column);
  return compare(condition.column === 'level_rank' ? sql`(${column} + 0)` : sql`(${column} || '')`, condition);
};
