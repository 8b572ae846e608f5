import type { newWebhook } from '@access-admin/contract';
import {
  type Conflict,
  type Failure,
  fail,
  failure,
  ok,
  type Result,
  refuseAnotherWebhook,
  SECRET_OVERLAP_HOURS,
} from '@access-admin/domain';
import type { InferOutput } from 'valibot';
import { auditContextOfRequest, type OperationHandler } from '../../operations/operation.ts';
import { etagOf } from '../answers/etag.ts';
import { ifMatch } from '../answers/resource.ts';
import { hrefOf, refuseSettings, rightsOf, showWebhook, type WebhookDeps } from './settings.ts';

const HOUR_MS = 3_600_000;

/** create-webhook-v1 */
export const createWebhook =
  ({ store: { webhooks }, cipher, webhookTargets, ...deps }: WebhookDeps): OperationHandler =>
  async (request) => {
    const { caller } = request;
    const given = request.body as InferOutput<typeof newWebhook>;
    const refusal = refuseSettings(given, caller, webhookTargets);
    if (refusal !== null) return fail(refusal);
    if (cipher === null) return fail(NO_KEY);
    const auditContext = auditContextOfRequest(request, deps.now());
    const { time: created } = auditContext;
    const id = deps.newId();
    const webhook = { id, ...given, url: hrefOf(given.url), created, modified: created, rights: rightsOf(caller) };
    const bytes = Buffer.from(deps.newSecret(), 'base64url');
    const secret = cipher.seal({ purpose: 'webhook', tenant: caller.tenant, id }, bytes);
    const stored = await webhooks.create(auditContext, { webhook, secret }, decideOn);
    if (!stored.ok) return stored;
    // The ETag is that of the webhook as it is read later, without the secret.
    const shown = showWebhook(stored.value);
    const headers = { etag: etagOf(shown), location: `/webhooks/v1/${id}` };
    return ok({ json: { ...shown, secret: secretText(bytes) }, headers });
  };

const decideOn = (count: number): Result<null, Failure> => {
  const refusal = refuseAnotherWebhook(count);
  return refusal === null ? ok(null) : fail(refusal);
};

/** rotate-webhook-secret-v1 */
export const rotateWebhookSecret =
  ({ store: { webhooks }, cipher, now, newSecret }: WebhookDeps): OperationHandler =>
  async (request) => {
    const { caller, params } = request;
    const id = params['id'] ?? '';
    if (cipher === null) return fail(NO_KEY);
    const auditContext = auditContextOfRequest(request, now());
    const bytes = Buffer.from(newSecret(), 'base64url');
    const rotated = await webhooks.rotateSecret(auditContext, id, {
      secret: cipher.seal({ purpose: 'webhook', tenant: caller.tenant, id }, bytes),
      modified: auditContext.time,
      previousUntilMs: Date.parse(auditContext.time) + SECRET_OVERLAP_HOURS * HOUR_MS,
      precondition: (webhook) => ifMatch(request)(showWebhook(webhook)),
    });
    if (!rotated.ok) return rotated;
    const shown = showWebhook(rotated.value);
    return ok({ json: { ...shown, secret: secretText(bytes) }, headers: { etag: etagOf(shown) } });
  };

const secretText = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`;

/** The refusal of what needs the key of secrets. */
export const NO_KEY: Conflict = failure(
  'Conflict',
  '',
  'webhooks need a key for their secrets: the operator of the service sets SECRET_KEY',
);
