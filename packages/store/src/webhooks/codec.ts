import {
  type DeliveryState,
  lackedByMaker,
  type PresentRights,
  SCOPES,
  showSequence,
  type WebhookDelivery,
  type WebhookFormat,
} from '@access-admin/domain';
import { parseCapabilities } from '../access/records/identity-codec.ts';
import type { WebhookDeliveryRow, WebhookRow } from '../schema/tables.ts';
import type { ClaimedWebhook, DueDelivery, NewWebhook, WebhookRecord, WebhookRights } from './webhook.ts';

export const rowToWebhook = (row: WebhookRow): WebhookRecord => ({
  id: row.id,
  name: row.name,
  url: row.url,
  types: JSON.parse(row.types),
  format: row.format as WebhookFormat,
  enabled: row.enabled === 1,
  created: row.created,
  modified: row.modified,
  rights: rightsOf(row),
});

/** The columns of the caller that covers a webhook. */
export type RightsColumns = Pick<WebhookRow, 'client_id' | 'client_created' | 'scopes' | 'identity_id'>;

const rightsOf = ({ client_id, client_created, scopes, identity_id }: RightsColumns): WebhookRights => ({
  client: client_id === null || client_created === null ? null : { id: client_id, created: client_created },
  scopes: JSON.parse(scopes),
  identityId: identity_id,
});

/** The client and the identity that cover a webhook, as they are now. */
export interface PresentColumns {
  readonly client_scopes: string | null;
  readonly is_bootstrap: number | null;
  readonly maker_capabilities: string | null;
  readonly capabilities: string | null;
}

export function presentOf(
  row: RightsColumns,
  { client_scopes, is_bootstrap, maker_capabilities: made, capabilities }: PresentColumns,
): PresentRights {
  const ofClient = is_bootstrap === 1 ? SCOPES : client_scopes === null ? null : JSON.parse(client_scopes);
  const ofIdentity = capabilities === null ? null : parseCapabilities(capabilities);
  const isRefused = lackedByMaker(ofIdentity ?? [], made === null ? null : parseCapabilities(made)) !== null;
  return {
    // A client whose identity has more than its maker had may do nothing.
    scopes: row.client_id === null ? JSON.parse(row.scopes) : isRefused ? [] : ofClient,
    capabilities: row.identity_id === null ? [] : ofIdentity,
  };
}

/** The columns that the administrators of a tenant set. */
export const webhookToColumns = ({ name, url, types, format, enabled, modified, rights }: WebhookRecord) => ({
  name,
  url,
  types: JSON.stringify(types),
  format,
  enabled: enabled ? 1 : 0,
  modified,
  client_id: rights.client?.id ?? null,
  client_created: rights.client?.created ?? null,
  scopes: JSON.stringify(rights.scopes),
  identity_id: rights.identityId,
});

export const newWebhookToRow = (tenant: string, { webhook, secret }: NewWebhook, cursor: number): WebhookRow => ({
  tenant,
  id: webhook.id,
  created: webhook.created,
  ...webhookToColumns(webhook),
  secret,
  previous_secret: null,
  previous_until_ms: null,
  cursor_at: cursor,
  fence: 0,
  claimable_at_ms: 0,
  due_ms: null,
  failing_since_ms: null,
  failures: 0,
  is_deleted: 0,
});

export function rowToClaim(row: WebhookRow, nowMs: number): ClaimedWebhook {
  const isRotating = row.previous_secret !== null && (row.previous_until_ms ?? 0) > nowMs;
  return {
    tenant: row.tenant,
    webhookId: row.id,
    fence: row.fence,
    url: row.url,
    types: JSON.parse(row.types),
    format: row.format as WebhookFormat,
    enabled: row.enabled === 1,
    rights: rightsOf(row),
    secrets: [row.secret, ...(isRotating && row.previous_secret !== null ? [row.previous_secret] : [])],
    cursor: row.cursor_at,
    failingSinceMs: row.failing_since_ms,
    failures: row.failures,
  };
}

export const rowToDelivery = (row: WebhookDeliveryRow): WebhookDelivery => ({
  id: row.id,
  eventId: row.event_id,
  type: row.type,
  sequence: row.sequence === 0 ? null : showSequence(row.sequence),
  state: row.state as DeliveryState,
  created: row.created,
  attempts: JSON.parse(row.attempts),
  next: row.next_ms === null ? null : new Date(row.next_ms).toISOString(),
});

export const rowToDue = (row: WebhookDeliveryRow): DueDelivery => ({
  id: row.id,
  eventId: row.event_id,
  sequence: row.sequence,
  type: row.type as DueDelivery['type'],
  created: row.created,
  failures: row.failures,
  attempts: JSON.parse(row.attempts),
  body: row.body,
});
