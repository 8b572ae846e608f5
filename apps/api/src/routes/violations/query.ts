import { parseFilters, parseSorters, VIOLATION_FILTERS, VIOLATION_SORTERS } from '@access-admin/contract';
import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { RegisterCondition, RegisterQuery } from '@access-admin/store';
import { onceOf } from '../answers/once-of.ts';

/** Parses `filters`, and `sorters`, which may be spelled `sort`. */
export function parseViolationQuery(query: URLSearchParams): Result<RegisterQuery, Failure> {
  const text = onceOf(query, 'filters');
  if (!text.ok) return text;
  const conditions = text.value === null ? ok([]) : parseFilters(text.value, VIOLATION_FILTERS);
  if (!conditions.ok) return conditions;
  const given = [...query.getAll('sorters'), ...query.getAll('sort')];
  if (given.length > 1) return fail(failure('IllegalValue', 'sorters', 'must be given once, as sorters or as sort'));
  const sorters = given[0] === undefined ? ok([]) : parseSorters(given[0], VIOLATION_SORTERS);
  return sorters.ok
    ? ok({ conditions: conditions.value as readonly RegisterCondition[], sorters: sorters.value })
    : sorters;
}
