import { filter, type PolicyFinding, type SodPolicy } from '@access-admin/client';
import { foldName } from '../search-parts.ts';
import type { PolicySearch } from './search.ts';
import { formOf } from './terms.ts';

/** The part of a search that the service filters by; undefined for all policies. */
export function policyFiltersOf({ state, level, owner }: PolicySearch): string | undefined {
  const parts = [
    state !== undefined && filter`state eq ${state}`,
    level !== undefined && filter`level eq ${level}`,
    owner !== undefined && filter`ownerId eq ${owner}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/**
 * Whether a search has a part by which only the page itself can filter, so that it needs all policies. The service filters by
 * names too, but with their case: "vendor" would not find "Vendor master".
 */
export const isFilteredHere = ({ name, form, finding }: PolicySearch): boolean =>
  name !== undefined || form !== undefined || finding !== undefined;

/** Those that meet the parts of a search by which the page itself filters. */
export function filterHere(
  policies: readonly SodPolicy[],
  { name, form, finding }: PolicySearch,
  findings: ReadonlyMap<string, readonly PolicyFinding[]>,
): readonly SodPolicy[] {
  const isFound = ({ id }: SodPolicy) =>
    (findings.get(id) ?? []).some(({ severity }) => finding === 'any' || severity === finding);
  const sought = foldName(name ?? '');
  return policies.filter(
    (policy) =>
      (name === undefined || foldName(policy.name).includes(sought)) &&
      (form === undefined || formOf(policy) === form) &&
      (finding === undefined || isFound(policy)),
  );
}

/** The findings of each policy. */
export function groupFindings(findings: readonly PolicyFinding[]): ReadonlyMap<string, readonly PolicyFinding[]> {
  return Map.groupBy(findings, ({ policyId }) => policyId);
}
