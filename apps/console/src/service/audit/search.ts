import type { AuditEvent } from '@access-admin/client';
import { pick, textOf } from '../search-parts.ts';

/** The kinds of resource in the log. */
export type ResourceType = AuditEvent['resource']['type'];

export const OUTCOMES: readonly AuditEvent['outcome'][] = ['ALLOWED', 'DENIED'];

/** Which entries a page shows, as its address says it: the newest first, unless the order is another one. */
export interface AuditSearch {
  /** The id of an identity or of a client. */
  readonly actor?: string;
  readonly operation?: string;
  readonly type?: ResourceType;
  /** The id of a resource. */
  readonly resource?: string;
  readonly outcome?: AuditEvent['outcome'];
  /** The first and the last day, such as `2027-01-31`. */
  readonly from?: string;
  readonly until?: string;
  readonly order?: 'oldest';
  /** The sequence of the entry that is shown in full. */
  readonly entry?: number;
}

/** The search of an address; parts that are not understood are left out. */
export function parseAuditSearch(given: Readonly<Record<string, unknown>>): AuditSearch {
  const { actor, operation, type, resource, outcome, from, until, order, entry } = given;
  return {
    ...textOf('actor', actor),
    ...textOf('operation', operation),
    ...typeOf(type),
    ...textOf('resource', resource),
    ...pick('outcome', OUTCOMES, outcome),
    ...dayOf('from', from),
    ...dayOf('until', until),
    ...pick('order', ['oldest'] as const, order),
    ...(Number.isSafeInteger(entry) && Number(entry) > 0 ? { entry: Number(entry) } : {}),
  };
}

/** The service knows the kinds of resource, and refuses others. */
const typeOf = (value: unknown): { type?: ResourceType } =>
  typeof value === 'string' && /^[A-Z_]{1,40}$/.test(value) ? { type: value as ResourceType } : {};

const dayOf = <K extends string>(key: K, value: unknown): { [key in K]?: string } =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? textOf(key, value)
    : {};
