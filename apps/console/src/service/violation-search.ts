import { filter, type SodViolation } from '@access-admin/client';
import { readNowMs } from './clock.ts';
import { pick, textOf } from './search-parts.ts';

export const LEVELS: readonly SodViolation['level'][] = ['Critical', 'High', 'Medium', 'Low'];
export const STATUSES: readonly SodViolation['status'][] = ['Open', 'Mitigated', 'Remediated', 'Closed'];
export const SORTS = ['-created', 'created', '-level'] as const;

/** What the violations of a list can be grouped by. */
export const GROUPINGS = ['policy', 'person', 'level', 'owner'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The fewest characters that the service searches for. */
export const SEARCH_LENGTH_MIN = 3;

/** Whether the service searches for a text inside of others. It counts the characters as this does. */
export const hasSearchLength = (text: string): boolean => [...text.trim().normalize('NFC')].length >= SEARCH_LENGTH_MIN;

/** Which violations a page shows, as its address says it. Without a status it shows those of any. */
export interface ViolationSearch {
  readonly status?: SodViolation['status'];
  readonly level?: SodViolation['level'];
  /** The id of a policy. */
  readonly policy?: string;
  /** A part of the name of the person. */
  readonly person?: string;
  /** The id of a person. */
  readonly target?: string;
  /** The id of an owner. */
  readonly owner?: string;
  readonly group?: Grouping;
  readonly sort?: (typeof SORTS)[number];
  /** Only those that were created more than 30 days ago. */
  readonly overdue?: true;
  /** Only those that the identity of the session owns; no part of the address. */
  readonly mine?: true;
  /** The id of the violation that is shown in full. */
  readonly open?: string;
}

/** The search of an address; parts that are not understood are left out. */
export function parseViolationSearch(given: Readonly<Record<string, unknown>>): ViolationSearch {
  const { status, level, policy, person, target, owner, group, sort, overdue, open } = given;
  return {
    ...pick('status', STATUSES, status),
    ...pick('level', LEVELS, level),
    ...pick('sort', SORTS, sort),
    ...pick('group', GROUPINGS, group),
    ...textOf('policy', policy),
    ...textOf('person', person),
    ...textOf('target', target),
    ...textOf('owner', owner),
    ...(overdue === true ? { overdue } : {}),
    ...textOf('open', open),
  };
}

/** The days after which a violation is overdue. */
export const OVERDUE_DAYS = 30;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The filters of the list that a search stands for; undefined for all. */
export function filtersOf(
  { status, level, policy, person, target, owner, overdue }: ViolationSearch,
  nowMs = readNowMs(),
): string | undefined {
  const parts = [
    status !== undefined && filter`status eq ${status}`,
    level !== undefined && filter`level eq ${level}`,
    policy !== undefined && filter`policyId eq ${policy}`,
    target !== undefined && filter`targetId eq ${target}`,
    owner !== undefined && filter`ownerId eq ${owner}`,
    overdue === true && filter`created le ${overdueBefore(nowMs)}`,
    person !== undefined && hasSearchLength(person) && filter`targetName co ${person.trim()}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** 30 days ago, to the hour: a question that is asked again soon is the same. */
const overdueBefore = (nowMs: number): Date => new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS - OVERDUE_DAYS * DAY_MS);
