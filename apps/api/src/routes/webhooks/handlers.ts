import type { OperationHandlers } from '../../operations/operation.ts';
import { listWebhookDeliveries, replayWebhook, resendWebhookDelivery, testWebhook } from './deliveries.ts';
import { createWebhook, rotateWebhookSecret } from './secrets.ts';
import { deleteWebhook, getWebhook, listWebhooks, patchWebhook, type WebhookDeps } from './settings.ts';

export const webhookHandlers = (deps: WebhookDeps) =>
  ({
    'list-webhooks-v1': listWebhooks(deps),
    'create-webhook-v1': createWebhook(deps),
    'get-webhook-v1': getWebhook(deps),
    'patch-webhook-v1': patchWebhook(deps),
    'delete-webhook-v1': deleteWebhook(deps),
    'rotate-webhook-secret-v1': rotateWebhookSecret(deps),
    'list-webhook-deliveries-v1': listWebhookDeliveries(deps),
    'resend-webhook-delivery-v1': resendWebhookDelivery(deps),
    'test-webhook-v1': testWebhook(deps),
    'replay-webhook-v1': replayWebhook(deps),
  }) satisfies Partial<OperationHandlers>;
