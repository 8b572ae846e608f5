import type { Condition } from '../../query/filter.ts';
import type { Position, SortKey } from '../../query/order.ts';
import type { SearchTable } from '../search/entry.ts';

/** A kind of record that can be looked up, as its table is named. */
export type LookUpKind = SearchTable;

/**
 * A condition of a list. `sw` and `co` ignore case, composition and the accents of Latin letters; `eq` and `in` compare exactly.
 * `parent` is the source of an entitlement, the identity profile of an identity; `name` the display name of an identity; `any`
 * stands for its id, name, uid and email. A condition on an attribute names it.
 */
export interface LookUpCondition
  extends Condition<
    'id' | 'name' | 'uid' | 'email' | 'parent' | 'any' | 'attribute' | 'externalId',
    'eq' | 'in' | 'sw' | 'co'
  > {
  readonly attribute?: string;
}

/** A sort key of a list. Names are sorted without case. */
export interface LookUpSorter {
  readonly field: 'id' | 'name';
  readonly descends: boolean;
}

/** The records to list, and their order: by id without sorters. */
export interface LookUpQuery {
  readonly conditions: readonly LookUpCondition[];
  readonly sorters: readonly LookUpSorter[];
}

/** Which part of a list to read: what follows a position, or the start. */
export interface LookUpPart {
  readonly limit: number;
  /** How many of the matches to leave out. */
  readonly offset: number;
  readonly after: Position | null;
}

/** A sort key as a column. */
export type LookUpKey = SortKey<'name' | 'id'>;

/** The sort keys of a query, the last of which is the id. */
export function lookUpKeysOf({ sorters }: Pick<LookUpQuery, 'sorters'>): readonly LookUpKey[] {
  const keys: LookUpKey[] = [];
  for (const { field, descends } of sorters) {
    keys.push({ column: field, descends });
    if (field === 'id') return keys;
  }
  return [...keys, { column: 'id', descends: sorters.at(-1)?.descends ?? false }];
}
