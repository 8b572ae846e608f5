import { filter } from '@access-admin/client';
import { keysOf } from '../keys-of.ts';
import type { AuditSearch, ResourceType } from './search.ts';

const KNOWN_TYPES: Readonly<Record<ResourceType, true>> = {
  ACCESS_MODEL: true,
  ACCESS_PROFILE: true,
  ACCOUNT: true,
  AUDIT_EVENT: true,
  AUTH_PROFILE: true,
  AUTH_USER: true,
  BRANDING: true,
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
  SIGNING_KEY: true,
  SIGN_IN: true,
  SOD_CHECK: true,
  SOD_EXCEPTION: true,
  SOD_POLICY: true,
  SOD_REPORT: true,
  SOD_RESERVATION: true,
  SOD_VIOLATION: true,
  SOURCE: true,
  TENANT: true,
  UI_METADATA: true,
  WEBHOOK: true,
};

/** The kinds of resource that the page offers. */
export const RESOURCE_TYPES: readonly ResourceType[] = keysOf(KNOWN_TYPES);

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
