import { MANAGE_WEBHOOKS } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import {
  newWebhook,
  WEBHOOK_DELIVERY_FILTERS,
  webhook,
  webhookAction,
  webhookDeliveries,
  webhookDelivery,
  webhookPatch,
  webhookReplay,
  webhooks,
  webhookWithSecret,
} from '../schemas/webhooks.ts';
import {
  defineOperation,
  jsonBody,
  jsonResponse,
  NO_CONTENT,
  optionalJsonBody,
  patchBody,
} from './define-operation.ts';
import { pathId } from './path-parameters.ts';

const group = 'Webhooks';

const ACTION = optionalJsonBody(webhookAction, SMALL_BODY_BYTES_MAX);

/** The operations on webhooks. */
export const WEBHOOKS = {
  list: defineOperation({
    id: 'list-webhooks-v1',
    method: 'GET',
    path: '/webhooks/v1',
    group,
    summary: 'List of webhooks',
    description: 'Lists the webhooks of the tenant. No answer of this operation has a secret.',
    rights: MANAGE_WEBHOOKS,
    list: true,
    response: jsonResponse(webhooks),
  }),
  create: defineOperation({
    id: 'create-webhook-v1',
    method: 'POST',
    path: '/webhooks/v1',
    group,
    summary: 'Create a webhook; its secret is shown this once',
    description:
      'Creates a webhook: the service posts each event whose type matches one of `types` to `url`, signed after Standard Webhooks. `types` are types of events, beginnings such as `sod.violation.*`, or `*` for all that the caller may read; a pattern that covers more is refused (403). The URL must be https on port 443 or 8443, and its name must resolve to public addresses only, unless the operator lists its origin. `format` is `cloudevents` for the events themselves, or `slack` or `teams` for a text with a link to the console, as incoming webhooks of these take it. The answer has the secret, this once. 409 where the operator has given no `SECRET_KEY`.',
    rights: MANAGE_WEBHOOKS,
    body: jsonBody(newWebhook, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(webhookWithSecret, 201),
    errors: [409],
  }),
  get: defineOperation({
    id: 'get-webhook-v1',
    method: 'GET',
    path: '/webhooks/v1/{id}',
    group,
    summary: 'One webhook',
    description: 'Returns one webhook, without its secret.',
    rights: MANAGE_WEBHOOKS,
    response: jsonResponse(webhook),
    errors: [404],
    etag: true,
  }),
  patch: defineOperation({
    id: 'patch-webhook-v1',
    method: 'PATCH',
    path: '/webhooks/v1/{id}',
    group,
    summary: 'Change the name, the URL, the types and the format of a webhook, enable or disable it',
    description:
      'Changes a webhook by a JSON Patch (RFC 6902). The paths are `/name`, `/url`, `/types`, `/format` and `/enabled`. With another URL or other types it tells what this caller may read. One that is enabled again gets the events from then on; `replay` delivers earlier ones.',
    rights: MANAGE_WEBHOOKS,
    body: patchBody(webhookPatch.parse),
    response: jsonResponse(webhook),
    errors: [404, 412],
    etag: true,
  }),
  delete: defineOperation({
    id: 'delete-webhook-v1',
    method: 'DELETE',
    path: '/webhooks/v1/{id}',
    group,
    summary: 'Delete a webhook and its deliveries',
    description: 'Deletes a webhook and its deliveries. What is being delivered may still arrive.',
    rights: MANAGE_WEBHOOKS,
    response: NO_CONTENT,
    errors: [404, 412],
    etag: true,
  }),
  rotateSecret: defineOperation({
    id: 'rotate-webhook-secret-v1',
    method: 'POST',
    path: '/webhooks/v1/{id}/rotate-secret',
    group,
    summary: 'Give a webhook another secret, shown this once; the old one signs too for 24 hours',
    description:
      'Gives a webhook another secret and returns it, this once. For 24 hours each message has a signature of the old secret too.',
    rights: MANAGE_WEBHOOKS,
    body: ACTION,
    response: jsonResponse(webhookWithSecret),
    errors: [404, 409, 412],
    etag: true,
  }),
  deliveries: defineOperation({
    id: 'list-webhook-deliveries-v1',
    method: 'GET',
    path: '/webhooks/v1/{id}/deliveries',
    group,
    summary: 'List of the deliveries of a webhook, the newest first',
    description:
      'Lists the deliveries of a webhook, the newest first, with their last attempts. They are kept 30 days. `type` is the type of the event; that of a test is `webhook.test`.',
    rights: MANAGE_WEBHOOKS,
    list: true,
    filters: WEBHOOK_DELIVERY_FILTERS,
    cursor: true,
    response: jsonResponse(webhookDeliveries),
    errors: [404],
  }),
  resend: defineOperation({
    id: 'resend-webhook-delivery-v1',
    method: 'POST',
    path: '/webhooks/v1/{id}/deliveries/{deliveryId}/resend',
    params: { deliveryId: pathId('The id of the delivery.') },
    group,
    summary: 'Deliver an event once more',
    description:
      'Makes a delivery pending again, whatever its state: it is tried at once, and after failures as a new one. The message has the same `webhook-id`.',
    rights: MANAGE_WEBHOOKS,
    body: ACTION,
    response: jsonResponse(webhookDelivery, 202),
    errors: [404, 409],
  }),
  test: defineOperation({
    id: 'test-webhook-v1',
    method: 'POST',
    path: '/webhooks/v1/{id}/test',
    group,
    summary: 'Send a test to a webhook',
    description:
      'Sends an event of the type `webhook.test` once, also to a webhook that is disabled. It has no sequence, and its data is the webhook.',
    rights: MANAGE_WEBHOOKS,
    body: ACTION,
    response: jsonResponse(webhookDelivery, 202),
    errors: [404, 409],
  }),
  replay: defineOperation({
    id: 'replay-webhook-v1',
    method: 'POST',
    path: '/webhooks/v1/{id}/replay',
    group,
    summary: 'Deliver the events after a sequence again',
    description:
      'Delivers the events after a sequence again, in order, and then the later ones. Without effect where the webhook has not got that far. 409 for a sequence whose next events are not kept any more, or that lies beyond the last event. Once a minute for each webhook.',
    rights: MANAGE_WEBHOOKS,
    body: jsonBody(webhookReplay, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(webhook, 202),
    errors: [404, 409],
  }),
} as const;
