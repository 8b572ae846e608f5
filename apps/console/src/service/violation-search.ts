import { filter, type SodViolation } from '@access-admin/client';

export const LEVELS: readonly SodViolation['level'][] = ['Critical', 'High', 'Medium', 'Low'];
export const STATUSES: readonly SodViolation['status'][] = ['Open', 'Mitigated', 'Remediated', 'Closed'];
export const SORTS = ['-created', 'created', '-level'] as const;

/** The fewest characters that the service searches for. */
export const SEARCH_LENGTH_MIN = 3;

/** Which violations a page shows, as its address says it. Without a status it shows those of any. */
export interface ViolationSearch {
  readonly status?: SodViolation['status'];
  readonly level?: SodViolation['level'];
  /** The id of a policy. */
  readonly policy?: string;
  /** A part of the name of the person. */
  readonly person?: string;
  readonly sort?: (typeof SORTS)[number];
  /** The id of the violation that is shown in full. */
  readonly open?: string;
}

/** The search of an address; parts that are not understood are left out. */
export function parseViolationSearch(given: Readonly<Record<string, unknown>>): ViolationSearch {
  const { status, level, policy, person, sort, open } = given;
  return {
    ...pick('status', STATUSES, status),
    ...pick('level', LEVELS, level),
    ...pick('sort', SORTS, sort),
    ...textOf('policy', policy),
    ...textOf('person', person),
    ...textOf('open', open),
  };
}

/** The filters of the list that a search stands for; undefined for all. */
export function filtersOf({ status, level, policy, person }: ViolationSearch): string | undefined {
  const parts = [
    status !== undefined && filter`status eq ${status}`,
    level !== undefined && filter`level eq ${level}`,
    policy !== undefined && filter`policyId eq ${policy}`,
    person !== undefined && person.trim().length >= SEARCH_LENGTH_MIN && filter`targetName co ${person.trim()}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

const pick = <K extends string, T>(key: K, known: readonly T[], value: unknown): { [key in K]?: T } => {
  const found = known.find((each) => each === value);
  return (found === undefined ? {} : { [key]: found }) as { [key in K]?: T };
};

/** Numbers are texts too: the router reads an address such as `?person=123` as one. */
const textOf = <K extends string>(key: K, value: unknown): { [key in K]?: string } => {
  const text = typeof value === 'number' ? String(value) : value;
  return (typeof text === 'string' && text !== '' ? { [key]: text } : {}) as { [key in K]?: string };
};
