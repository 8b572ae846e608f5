import { SMALL_BODY_BYTES_MAX } from '../../limits.ts';
import {
  newWebhook,
  WEBHOOK_DELIVERY_FILTERS,
  webhook,
  webhookAction,
  webhookDeliveries,
  webhookDelivery,
  webhookReplay,
  webhooks,
  webhookWithSecret,
} from '../../schemas/administration/webhooks.ts';
import {
  defaults,
  jsonBody,
  jsonResponse,
  NO_CONTENT,
  type Operation,
  optionalJsonBody,
  patchBody,
} from '../definition.ts';

const group = 'Webhooks';

const onOneWebhook = { ...defaults, group, path: '/webhooks/v1/{id}', etag: true } as const;
const onDeliveries = { ...defaults, group, errorStatuses: [404] } as const;
const action = optionalJsonBody(webhookAction, SMALL_BODY_BYTES_MAX);

/** The operations on webhooks. */
export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'list-webhooks-v1',
    method: 'GET',
    path: '/webhooks/v1',
    group,
    summary: 'List of webhooks',
    response: jsonResponse(webhooks),
    list: true,
  },
  {
    ...defaults,
    id: 'create-webhook-v1',
    method: 'POST',
    path: '/webhooks/v1',
    group,
    summary: 'Create a webhook; its secret is shown this once',
    body: jsonBody(newWebhook, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(webhookWithSecret, 201),
    errorStatuses: [409],
  },
  {
    ...onOneWebhook,
    id: 'get-webhook-v1',
    method: 'GET',
    summary: 'One webhook',
    response: jsonResponse(webhook),
    errorStatuses: [404],
  },
  {
    ...onOneWebhook,
    id: 'patch-webhook-v1',
    method: 'PATCH',
    summary: 'Change the name, the URL and the types of a webhook, enable or disable it',
    body: patchBody,
    response: jsonResponse(webhook),
    errorStatuses: [404, 412],
  },
  {
    ...onOneWebhook,
    id: 'delete-webhook-v1',
    method: 'DELETE',
    summary: 'Delete a webhook and its deliveries',
    response: NO_CONTENT,
    errorStatuses: [404, 412],
  },
  {
    ...onOneWebhook,
    id: 'rotate-webhook-secret-v1',
    method: 'POST',
    path: '/webhooks/v1/{id}/rotate-secret',
    summary: 'Give a webhook another secret, shown this once; the old one signs too for 24 hours',
    body: action,
    response: jsonResponse(webhookWithSecret),
    errorStatuses: [404, 409, 412],
  },
  {
    ...onDeliveries,
    id: 'list-webhook-deliveries-v1',
    method: 'GET',
    path: '/webhooks/v1/{id}/deliveries',
    summary: 'List of the deliveries of a webhook, the newest first',
    response: jsonResponse(webhookDeliveries),
    list: true,
    filters: WEBHOOK_DELIVERY_FILTERS,
  },
  {
    ...onDeliveries,
    id: 'resend-webhook-delivery-v1',
    method: 'POST',
    path: '/webhooks/v1/{id}/deliveries/{deliveryId}/resend',
    summary: 'Deliver an event once more',
    body: action,
    response: jsonResponse(webhookDelivery, 202),
    errorStatuses: [404, 409],
  },
  {
    ...onDeliveries,
    id: 'test-webhook-v1',
    method: 'POST',
    path: '/webhooks/v1/{id}/test',
    summary: 'Send a test to a webhook',
    body: action,
    response: jsonResponse(webhookDelivery, 202),
    errorStatuses: [404, 409],
  },
  {
    ...onDeliveries,
    id: 'replay-webhook-v1',
    method: 'POST',
    path: '/webhooks/v1/{id}/replay',
    summary: 'Deliver the events after a sequence again',
    body: jsonBody(webhookReplay, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(webhook, 202),
    errorStatuses: [404, 409],
  },
];
