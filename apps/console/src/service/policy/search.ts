import type { SodPolicyLevel, SodPolicyState } from '@access-admin/client';
import { pick, textOf } from '../search-parts.ts';
import { FORMS, type Form, LEVELS, STATES } from './terms.ts';

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
  /** Only policies with a lint finding of this severity. */
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
