import { type Caller, coveredTypes, type EventType } from '@access-admin/domain';
import type { WebhookRights } from '@access-admin/store';

/** The event types that a webhook gets. An identity had `ORG_ADMIN` when it set them. */
export function typesOf(patterns: readonly string[], { scopes, identityId }: WebhookRights): readonly EventType[] {
  const capabilities: Caller['capabilities'] = identityId === null ? [] : ['ORG_ADMIN'];
  return coveredTypes(patterns, { scopes: new Set(scopes), identityId, capabilities });
}
