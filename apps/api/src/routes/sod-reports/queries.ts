import { type FilterField, parseFilters, REPORT_VIOLATION_FILTERS, SOD_REPORT_FILTERS } from '@access-admin/contract';
import {
  type Failure,
  fail,
  failure,
  ok,
  type Result,
  SOD_REPORT_CHANGES,
  type SodPolicyLevel,
  type SodReportKind,
  type SodReportState,
} from '@access-admin/domain';
import type { ReportQuery, ViolationQuery } from '@access-admin/store';
import { parseListQuery } from '../answers/list.ts';
import { onceOf } from '../answers/once-of.ts';

/** Parses the query of the list of reports. */
export function parseReportQuery(query: URLSearchParams): Result<ReportQuery, Failure> {
  const valuesOf = parseConditions(query, SOD_REPORT_FILTERS);
  if (!valuesOf.ok) return valuesOf;
  const { kind, state } = valuesOf.value;
  return ok({
    kinds: kind as readonly SodReportKind[] | null,
    states: state as readonly SodReportState[] | null,
  });
}

/** Parses the query of the violations of a report; `policyId` counts like a filter. The faults of the page come first. */
export function parseViolationQuery(query: URLSearchParams): Result<ViolationQuery, Failure> {
  const page = parseListQuery(query);
  if (!page.ok) return page;
  const change = onceOf(query, 'change');
  if (!change.ok) return change;
  const policy = onceOf(query, 'policyId');
  if (!policy.ok) return policy;
  const known = SOD_REPORT_CHANGES.find((each) => each === change.value);
  if (change.value !== null && known === undefined)
    return fail(failure('IllegalValue', 'change', `must be one of ${SOD_REPORT_CHANGES.join(', ')}`));
  const valuesOf = parseConditions(query, REPORT_VIOLATION_FILTERS);
  if (!valuesOf.ok) return valuesOf;
  const { identityId, policyId, level, excepted } = valuesOf.value;
  return ok({
    change: known ?? null,
    identityIds: identityId,
    policyIds: policy.value === null ? policyId : both(policyId, [policy.value]),
    levels: level as readonly SodPolicyLevel[] | null,
    // Two conditions that contradict each other leave none of both values.
    excepted: excepted === null ? null : excepted[0] === 'true',
    ...(excepted?.length === 0 ? { policyIds: [] } : {}),
  });
}

/** The values that each field may have, null for all: those that every condition on the field accepts. */
function parseConditions<F extends Readonly<Record<string, FilterField>>>(
  query: URLSearchParams,
  fields: F,
): Result<Readonly<Record<keyof F, readonly string[] | null>>, Failure> {
  const filters = onceOf(query, 'filters');
  if (!filters.ok) return filters;
  const found = Object.fromEntries(Object.keys(fields).map((field) => [field, null])) as Record<
    keyof F,
    readonly string[] | null
  >;
  if (filters.value === null) return ok(found);
  const conditions = parseFilters(filters.value, fields);
  if (!conditions.ok) return conditions;
  for (const { field, values } of conditions.value) {
    const name: keyof F = field;
    found[name] = both(found[name], values);
  }
  return ok(found);
}

/** The values of two conditions on one field that meet both. */
const both = (earlier: readonly string[] | null, values: readonly string[]): readonly string[] =>
  earlier === null ? [...new Set(values)] : earlier.filter((value) => values.includes(value));
