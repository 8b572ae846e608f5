import type { Condition } from '../../query/filter.ts';
import type { Position, SortKey } from '../../query/order.ts';

/** A condition of a list of violations. */
export type RegisterCondition = Condition<
  | 'status'
  | 'level'
  | 'policyId'
  | 'ownerId'
  /** What an identity owns itself, as the rights to it have it. */
  | 'ownedBy'
  | 'targetId'
  | 'policyName'
  | 'ownerName'
  | 'targetName'
  | 'created'
  | 'closed'
>;

/** A sort key of a list of violations. */
export interface RegisterSorter {
  readonly field: 'level' | 'created' | 'modified';
  readonly descends: boolean;
}

/** The violations to list, and their order: the newest first without sorters. */
export interface RegisterQuery {
  readonly conditions: readonly RegisterCondition[];
  readonly sorters: readonly RegisterSorter[];
}

/** Which part of a list to read: what follows a position, or the start. */
export interface RegisterPage {
  readonly limit: number;
  /** How many of the matches to leave out. */
  readonly offset: number;
  readonly after: Position | null;
}

/** A sort key as a column. */
export type ViolationKey = SortKey<'level_rank' | 'created' | 'modified' | 'id'>;

const COLUMNS = { level: 'level_rank', created: 'created', modified: 'modified' } as const;

/**
 * The sort keys of a query, the last of which is the id. What the sorters leave equal follows the direction of the last one,
 * so that the index of the first one has the order.
 */
export function sortKeysOf({ sorters }: Pick<RegisterQuery, 'sorters'>): readonly ViolationKey[] {
  const keys: ViolationKey[] = sorters.map(({ field, descends }) => ({ column: COLUMNS[field], descends }));
  const descends = sorters.at(-1)?.descends ?? true;
  const isDated = sorters.some(({ field }) => field !== 'level');
  return [...keys, ...(isDated ? [] : [{ column: 'created', descends } as const]), { column: 'id', descends }];
}
