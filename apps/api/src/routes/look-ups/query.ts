import {
  ENTITLEMENT_FILTERS,
  type FilterField,
  IDENTITY_FILTERS,
  IDENTITY_SORTERS,
  NAMED_FILTERS,
  NAMED_SORTERS,
  parseFilters,
  parseSorters,
} from '@access-admin/contract';
import { type Failure, ok, type Result } from '@access-admin/domain';
import type { LookUpCondition, LookUpKind, LookUpQuery } from '@access-admin/store';
import { onceOf } from '../answers/once-of.ts';

/** The fields of a list, and how the store names those that it names otherwise. */
interface ListFields {
  readonly filters: Readonly<Record<string, FilterField>>;
  readonly sorters: readonly string[];
  readonly named: Readonly<Record<string, LookUpCondition['field']>>;
}

const NAMED: ListFields = { filters: NAMED_FILTERS, sorters: NAMED_SORTERS, named: {} };

const FIELDS: Readonly<Record<LookUpKind, ListFields>> = {
  entitlement: { ...NAMED, filters: ENTITLEMENT_FILTERS, named: { source: 'parent' } },
  access_profile: NAMED,
  role: NAMED,
  identity_profile: NAMED,
  identity: {
    filters: IDENTITY_FILTERS,
    sorters: IDENTITY_SORTERS,
    named: { displayName: 'name', identityProfileId: 'parent' },
  },
};

/** Parses `filters` and `sorters` of a list. */
export function parseLookUpQuery(query: URLSearchParams, kind: LookUpKind): Result<LookUpQuery, Failure> {
  const { filters, sorters, named } = FIELDS[kind];
  const [givenFilters, givenSorters] = [onceOf(query, 'filters'), onceOf(query, 'sorters')];
  if (!givenFilters.ok) return givenFilters;
  if (!givenSorters.ok) return givenSorters;
  const conditions = givenFilters.value === null ? ok([]) : parseFilters(givenFilters.value, filters);
  if (!conditions.ok) return conditions;
  const keys = givenSorters.value === null ? ok([]) : parseSorters(givenSorters.value, sorters);
  if (!keys.ok) return keys;
  const inStore = <T extends { readonly field: string }>(each: T) => ({
    ...each,
    field: named[each.field] ?? each.field,
  });
  return ok({ conditions: conditions.value.map(inStore), sorters: keys.value.map(inStore) } as LookUpQuery);
}
