import {
  filter,
  type PolicyFinding,
  type SodPolicy,
  type SodPolicyLevel,
  type SodPolicyState,
} from '@access-admin/client';
import { pick, textOf } from '../search-parts.ts';
import { FORMS, type Form, formOf, LEVELS, STATES } from './draft.ts';

export const POLICY_SORTS = ['name', '-modified', '-created'] as const;
export const FINDING_CHOICES = ['any', 'ERROR', 'WARNING'] as const;

/** Which policies a page shows, as its address says it. */
export interface PolicySearch {
  /** A part of the name. */
  readonly name?: string;
  readonly state?: SodPolicyState;
  readonly level?: SodPolicyLevel;
  readonly form?: Form;
  /** The id of the owner. */
  readonly owner?: string;
  /** Only those of which lint has found something of this severity. */
  readonly finding?: (typeof FINDING_CHOICES)[number];
  /** By name where it is left out. */
  readonly sort?: (typeof POLICY_SORTS)[number];
}

/** The search of an address; parts that are not understood are left out. */
export function parsePolicySearch(given: Readonly<Record<string, unknown>>): PolicySearch {
  return {
    ...textOf('name', given['name']),
    ...textOf('owner', given['owner']),
    ...pick('state', STATES, given['state']),
    ...pick('level', LEVELS, given['level']),
    ...pick('form', FORMS, given['form']),
    ...pick('finding', FINDING_CHOICES, given['finding']),
    ...pick('sort', POLICY_SORTS, given['sort']),
  };
}

/** The part of a search that the service filters by; undefined for all policies. */
export function policyFiltersOf({ name, state, level, owner }: PolicySearch): string | undefined {
  const parts = [
    name !== undefined && filter`name co ${name}`,
    state !== undefined && filter`state eq ${state}`,
    level !== undefined && filter`level eq ${level}`,
    owner !== undefined && filter`ownerId eq ${owner}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Whether a search has a part by which only the page itself can filter, so that it needs all policies. */
export const isFilteredHere = ({ form, finding }: PolicySearch): boolean => form !== undefined || finding !== undefined;

/** Those that meet the parts of a search by which the page itself filters. */
export function filterHere(
  policies: readonly SodPolicy[],
  { form, finding }: PolicySearch,
  findings: ReadonlyMap<string, readonly PolicyFinding[]>,
): readonly SodPolicy[] {
  const isFound = ({ id }: SodPolicy) =>
    (findings.get(id) ?? []).some(({ severity }) => finding === 'any' || severity === finding);
  return policies.filter(
    (policy) => (form === undefined || formOf(policy) === form) && (finding === undefined || isFound(policy)),
  );
}

/** The findings of each policy. */
export function groupFindings(findings: readonly PolicyFinding[]): ReadonlyMap<string, readonly PolicyFinding[]> {
  return Map.groupBy(findings, ({ policyId }) => policyId);
}
