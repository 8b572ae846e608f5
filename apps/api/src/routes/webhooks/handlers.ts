import { WEBHOOK_REPLAY_SECONDS } from '@access-admin/contract';
import {
  type Failure,
  fail,
  failure,
  ok,
  type Result,
  refuseAnotherWebhook,
  SECRET_OVERLAP_HOURS,
  type WebhookDelivery,
} from '@access-admin/domain';
import type { Semaphore } from '@access-admin/scheduling';
import {
  createDeliveryIds,
  type SecretCipher,
  type WebhookPlace,
  type WebhookRecord,
  type WebhookStore,
} from '@access-admin/store';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { ApiFailure } from '../../http/problem.ts';
import { answerCursorList, answerList, withEtag } from '../../operations/answers.ts';
import {
  auditContextOfRequest,
  type CheckedRequest,
  type OperationHandlers,
  type OperationResult,
} from '../../operations/operation.ts';
import type { ListOrder } from '../answers/cursor.ts';
import { etagOf } from '../answers/etag.ts';
import { ifMatch } from '../answers/resource.ts';
import { decidePatch, hrefOf, refuseSettings, rightsOf, showWebhook } from './settings.ts';

export interface WebhookParts {
  readonly webhooks: WebhookStore;
  /** Null where the operator has given no key. */
  readonly cipher: SecretCipher | null;
  /** The origins that webhooks may have although they are not public. */
  readonly webhookTargets: ReadonlySet<string>;
  readonly baseAddress: string;
  /** Limits concurrent counts of lists. */
  readonly counting: Semaphore;
  readonly now: () => Date;
  readonly newId: () => string;
  /** 32 random bytes in Base64url. */
  readonly newSecret: () => string;
}

const HOUR_MS = 3_600_000;

const NEWEST_FIRST: ListOrder = {
  keys: [{ column: 'id', descends: true }],
  isValue: (_, value) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value),
};

export function webhookHandlers(parts: WebhookParts) {
  const { webhooks, cipher, webhookTargets, baseAddress, counting, now, newId, newSecret } = parts;
  const newDeliveryId = createDeliveryIds(newId);
  // A replay may repeat all events that are kept.
  const replays = new RateLimiterMemory({ points: 1, duration: WEBHOOK_REPLAY_SECONDS });
  const keyOf = ({ tenant, webhookId }: WebhookPlace) => `${tenant} ${webhookId}`;
  const mayReplay = (place: WebhookPlace): Promise<boolean> =>
    replays.consume(keyOf(place)).then(
      () => true,
      () => false,
    );

  /** Finds a webhook to which something is to be sent, which its secret signs. */
  const findToSend = async ({ tenant, webhookId }: WebhookPlace): Promise<Result<WebhookRecord, Failure>> => {
    const webhook = await webhooks.find(tenant, webhookId);
    if (webhook === null) return fail(NO_WEBHOOK);
    return cipher === null ? fail(NO_KEY) : ok(webhook);
  };

  return {
    'list-webhooks-v1': (request) => {
      const { tenant } = request.caller;
      return answerList(request, baseAddress, {
        list: async (page) => (await webhooks.list(tenant, page)).map(showWebhook),
        count: () => webhooks.count(tenant),
      });
    },

    'create-webhook-v1': async (request) => {
      const { caller, body } = request;
      const refusal = refuseSettings(body, caller, webhookTargets);
      if (refusal !== null) return fail(refusal);
      if (cipher === null) return fail(NO_KEY);
      const auditContext = auditContextOfRequest(request, now());
      const { time } = auditContext;
      const id = newId();
      const webhook = { id, ...body, url: hrefOf(body.url), created: time, modified: time, rights: rightsOf(caller) };
      const bytes = Buffer.from(newSecret(), 'base64url');
      const secret = cipher.seal({ purpose: 'webhook', tenant: caller.tenant, id }, bytes);
      const stored = await webhooks.create(auditContext, { webhook, secret }, (count): Result<null, Failure> => {
        const tooMany = refuseAnotherWebhook(count);
        return tooMany === null ? ok(null) : fail(tooMany);
      });
      return stored.ok ? withSecret(stored.value, bytes, { location: `/webhooks/v1/${id}` }) : stored;
    },

    'get-webhook-v1': async ({ caller, params }) => {
      const found = await webhooks.find(caller.tenant, params.id);
      return found === null ? fail(NO_WEBHOOK) : withEtag(showWebhook(found));
    },

    'patch-webhook-v1': async (request) => {
      const { caller, params, body: patch } = request;
      const auditContext = auditContextOfRequest(request, now());
      const given = { patch, caller, targets: webhookTargets, time: auditContext.time };
      const changed = await webhooks.change(auditContext, params.id, {
        precondition: (webhook) => ifMatch(request.c)(showWebhook(webhook)),
        decide: (before) => decidePatch(before, given),
      });
      return changed.ok ? withEtag(showWebhook(changed.value)) : changed;
    },

    'delete-webhook-v1': async (request) => {
      const deleted = await webhooks.delete(auditContextOfRequest(request, now()), request.params.id, {
        precondition: (webhook) => ifMatch(request.c)(showWebhook(webhook)),
        decide: (): Result<null, Failure> => ok(null),
      });
      return deleted.ok ? ok({ isEmpty: true }) : deleted;
    },

    'rotate-webhook-secret-v1': async (request) => {
      const { caller, params } = request;
      const { id } = params;
      if (cipher === null) return fail(NO_KEY);
      const auditContext = auditContextOfRequest(request, now());
      const bytes = Buffer.from(newSecret(), 'base64url');
      const rotated = await webhooks.rotateSecret(auditContext, id, {
        secret: cipher.seal({ purpose: 'webhook', tenant: caller.tenant, id }, bytes),
        modified: auditContext.time,
        previousUntilMs: Date.parse(auditContext.time) + SECRET_OVERLAP_HOURS * HOUR_MS,
        precondition: (webhook) => ifMatch(request.c)(showWebhook(webhook)),
      });
      return rotated.ok ? withSecret(rotated.value, bytes) : rotated;
    },

    'list-webhook-deliveries-v1': async (request) => {
      const { filters } = request.query;
      const place = placeOf(request);
      if ((await webhooks.find(place.tenant, place.webhookId)) === null) return fail(NO_WEBHOOK);
      return answerCursorList(
        request,
        { baseAddress, counting },
        {
          order: NEWEST_FIRST,
          read: async ({ limit, offset, after }) => {
            const page = { limit: limit + 1, offset, after: after === null ? null : String(after[0]) };
            const found = await webhooks.listDeliveries(place, filters, page);
            const rows = found.slice(0, limit);
            const last = rows.at(-1);
            return ok({ rows, next: found.length > limit && last !== undefined ? [last.id] : null });
          },
          count: async () => ({ count: await webhooks.countDeliveries(place, filters), isExact: true }),
        },
      );
    },

    'resend-webhook-delivery-v1': async (request) => {
      const place = placeOf(request);
      const webhook = await findToSend(place);
      if (!webhook.ok) return webhook;
      if (!webhook.value.enabled) return fail(failure('Conflict', '', 'the webhook is disabled: enable it first'));
      const time = now();
      const resent = { id: request.params.deliveryId, nowMs: time.getTime() };
      return answerDelivery(await webhooks.resend(auditContextOfRequest(request, time), place, resent));
    },

    'test-webhook-v1': async (request) => {
      const place = placeOf(request);
      const webhook = await findToSend(place);
      if (!webhook.ok) return webhook;
      const time = now();
      const test = {
        ...place,
        id: newDeliveryId(time.getTime()),
        eventId: newId(),
        created: time.toISOString(),
        data: JSON.stringify(showWebhook(webhook.value)),
      };
      return answerDelivery(await webhooks.test(auditContextOfRequest(request, time), test, time.getTime()));
    },

    'replay-webhook-v1': async (request) => {
      const place = placeOf(request);
      const webhook = await findToSend(place);
      if (!webhook.ok) return webhook;
      if (!(await mayReplay(place))) return fail(REPLAYED_LATELY);
      const after = Number(request.body.after);
      const replayed = await webhooks.replay(auditContextOfRequest(request, now()), place, after);
      if (replayed === 'ok') return ok({ json: showWebhook(webhook.value) });
      await replays.delete(keyOf(place));
      return fail(replayed === 'gone' ? NOT_KEPT : NO_WEBHOOK);
    },
  } satisfies Partial<OperationHandlers>;
}

interface WebhookRequest extends CheckedRequest {
  readonly params: { readonly id: string };
}

const placeOf = ({ caller, params }: WebhookRequest): WebhookPlace => ({
  tenant: caller.tenant,
  webhookId: params.id,
});

/** Answers a webhook with a new secret. The ETag is that of the webhook as it is read later, without the secret. */
function withSecret(webhook: WebhookRecord, bytes: Buffer, headers: OperationResult['headers'] = {}) {
  const shown = showWebhook(webhook);
  const secret = `whsec_${bytes.toString('base64')}`;
  return ok({ json: { ...shown, secret }, headers: { etag: etagOf(shown), ...headers } });
}

const answerDelivery = (delivery: WebhookDelivery | null): Result<OperationResult, Failure> =>
  delivery === null ? fail(failure('NotFound', '', 'There is no such delivery.')) : ok({ json: delivery });

const NO_WEBHOOK = failure('NotFound', '', 'There is no such webhook.');

const NO_KEY = failure(
  'Conflict',
  '',
  'webhooks need a key for their secrets: the operator of the service sets SECRET_KEY',
);

const REPLAYED_LATELY: ApiFailure = {
  type: 'TooManyRequests',
  causes: [{ at: '', text: 'A webhook may be replayed once a minute.' }],
  retryAfterSeconds: WEBHOOK_REPLAY_SECONDS,
};

const NOT_KEPT = failure('Conflict', 'after', 'the events after this sequence are not kept, or there is no such event');
