import { type AuditEvent, filter } from '@access-admin/client';
import { pick, textOf } from '../search-parts.ts';

/** The kinds of resource in the log. */
export type ResourceType = AuditEvent['resource']['type'];

const KNOWN_TYPES: Readonly<Record<ResourceType, true>> = {
  ACCESS_MODEL: true,
  ACCESS_PROFILE: true,
  AUDIT_EVENT: true,
  AUTH_PROFILE: true,
  AUTH_USER: true,
  CONTROL: true,
  ENTITLEMENT: true,
  EVENT: true,
  IDENTITY: true,
  LOCKOUT_CONFIG: true,
  NETWORK_CONFIG: true,
  OAUTH_CLIENT: true,
  ROLE: true,
  SESSION: true,
  SESSION_CONFIG: true,
  SIGN_IN: true,
  SOD_CHECK: true,
  SOD_EXCEPTION: true,
  SOD_POLICY: true,
  SOD_REPORT: true,
  SOD_VIOLATION: true,
  UI_METADATA: true,
  WEBHOOK: true,
};

export const RESOURCE_TYPES = Object.keys(KNOWN_TYPES) as readonly ResourceType[];
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
    ...pick('type', RESOURCE_TYPES, type),
    ...textOf('resource', resource),
    ...pick('outcome', OUTCOMES, outcome),
    ...dayOf('from', from),
    ...dayOf('until', until),
    ...pick('order', ['oldest'] as const, order),
    ...(Number.isSafeInteger(entry) && Number(entry) > 0 ? { entry: Number(entry) } : {}),
  };
}

const dayOf = <K extends string>(key: K, value: unknown): { [key in K]?: string } =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? ({ [key]: value } as { [key in K]?: string })
    : {};

/** The filters of the list that a search stands for; undefined for all. Days are those of the time zone of the browser. */
export function filtersOf(search: AuditSearch): string | undefined {
  const { actor, operation, type, resource, outcome, from, until } = search;
  const parts = [
    actor !== undefined && filter`actor eq ${actor}`,
    operation !== undefined && filter`operation eq ${operation.trim()}`,
    type !== undefined && filter`resourceType eq ${type}`,
    resource !== undefined && filter`resourceId eq ${resource.trim()}`,
    outcome !== undefined && filter`outcome eq ${outcome}`,
    from !== undefined && filter`time ge ${new Date(`${from}T00:00:00`)}`,
    until !== undefined && filter`time le ${new Date(`${until}T23:59:59.999`)}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(' and ');
}
