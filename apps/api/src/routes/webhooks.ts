import { WEBHOOK_REPLAY_SECONDS, WEBHOOKS } from '@access-admin/contract';
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
import type { SecretCipher, WebhookPlace, WebhookRecord } from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { auditContext } from '../http/audit-context.ts';
import type { ApiFailure } from '../http/problem.ts';
import { type Input, route } from '../operations/route.ts';
import type { ListOrder } from './answers/cursor.ts';
import { answerCursorList } from './answers/cursor-list.ts';
import { etagOf } from './answers/etag.ts';
import { answerList } from './answers/list.ts';
import { ifMatch, withEtag } from './answers/resource.ts';
import { decidePatch, refuseSettings, rightsOf, showWebhook } from './webhooks/settings.ts';

/** Webhooks and what they deliver. */
export const webhooks = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(WEBHOOKS.list, (c, { caller: { tenant }, query }) => {
        const { webhooks } = c.env.services.store;
        return answerList(c, query.page, {
          list: async (page) => (await webhooks.list(tenant, page)).map(showWebhook),
          count: () => webhooks.count(tenant),
        });
      }),
    )
    .on(
      ...route(WEBHOOKS.create, async (c, { caller, body }) => {
        const { store, config, system, cipher } = c.env.services;
        const refusal = refuseSettings(body, caller, config.webhookTargets);
        if (refusal !== null) return fail(refusal);
        if (cipher === null) return fail(NO_KEY);
        const audit = auditContext(c);
        const id = system.newId();
        const times = { created: audit.time, modified: audit.time };
        const webhook = { id, ...body, ...times, rights: rightsOf(caller) };
        const bytes = Buffer.from(system.newSecret(), 'base64url');
        const secret = cipher.seal({ purpose: 'webhook', tenant: caller.tenant, id }, bytes);
        const stored = await store.webhooks.create(audit, { webhook, secret }, (count): Result<null, Failure> => {
          const tooMany = refuseAnotherWebhook(count);
          return tooMany === null ? ok(null) : fail(tooMany);
        });
        if (!stored.ok) return stored;
        return c.json(withSecret(stored.value, bytes), 201, {
          etag: etagOf(showWebhook(stored.value)),
          location: `/webhooks/v1/${id}`,
        });
      }),
    )
    .on(
      ...route(WEBHOOKS.get, async (c, { caller, params }) => {
        const found = await c.env.services.store.webhooks.find(caller.tenant, params.id);
        return found === null ? fail(NO_WEBHOOK) : withEtag(c, showWebhook(found));
      }),
    )
    .on(
      ...route(WEBHOOKS.patch, async (c, { caller, params, body: patch }) => {
        const { store, config } = c.env.services;
        const audit = auditContext(c);
        const given = { patch, caller, targets: config.webhookTargets, time: audit.time };
        const changed = await store.webhooks.change(audit, params.id, {
          precondition: (webhook) => ifMatch(c)(showWebhook(webhook)),
          decide: (before) => decidePatch(before, given),
        });
        return changed.ok ? withEtag(c, showWebhook(changed.value)) : changed;
      }),
    )
    .on(
      ...route(WEBHOOKS.delete, async (c, { params }) => {
        const deleted = await c.env.services.store.webhooks.delete(auditContext(c), params.id, {
          precondition: (webhook) => ifMatch(c)(showWebhook(webhook)),
          decide: (): Result<null, Failure> => ok(null),
        });
        return deleted.ok ? c.body(null, 204) : deleted;
      }),
    )
    .on(
      ...route(WEBHOOKS.rotateSecret, async (c, { caller, params: { id } }) => {
        const { store, system, cipher } = c.env.services;
        if (cipher === null) return fail(NO_KEY);
        const audit = auditContext(c);
        const bytes = Buffer.from(system.newSecret(), 'base64url');
        const rotated = await store.webhooks.rotateSecret(audit, id, {
          secret: cipher.seal({ purpose: 'webhook', tenant: caller.tenant, id }, bytes),
          modified: audit.time,
          previousUntilMs: Date.parse(audit.time) + SECRET_OVERLAP_HOURS * HOUR_MS,
          precondition: (webhook) => ifMatch(c)(showWebhook(webhook)),
        });
        if (!rotated.ok) return rotated;
        return c.json(withSecret(rotated.value, bytes), 200, { etag: etagOf(showWebhook(rotated.value)) });
      }),
    )
    .on(...route(WEBHOOKS.deliveries, listDeliveries))
    .on(
      ...route(WEBHOOKS.resend, async (c, input) => {
        const { store, system, cipher } = c.env.services;
        const place = placeOf(input);
        const webhook = await findToSend(c, place, cipher);
        if (!webhook.ok) return webhook;
        if (!webhook.value.enabled) return fail(failure('Conflict', '', 'the webhook is disabled: enable it first'));
        const time = system.now();
        const resent = { id: input.params.deliveryId, nowMs: time.getTime() };
        return answerDelivery(c, await store.webhooks.resend(auditContext(c, time), place, resent));
      }),
    )
    .on(
      ...route(WEBHOOKS.test, async (c, input) => {
        const { store, system, cipher, newDeliveryId } = c.env.services;
        const place = placeOf(input);
        const webhook = await findToSend(c, place, cipher);
        if (!webhook.ok) return webhook;
        const time = system.now();
        const test = {
          ...place,
          id: newDeliveryId(time.getTime()),
          eventId: system.newId(),
          created: time.toISOString(),
          data: JSON.stringify(showWebhook(webhook.value)),
        };
        return answerDelivery(c, await store.webhooks.test(auditContext(c, time), test, time.getTime()));
      }),
    )
    .on(
      ...route(WEBHOOKS.replay, async (c, input) => {
        const { store, cipher, webhookReplays } = c.env.services;
        const place = placeOf(input);
        const webhook = await findToSend(c, place, cipher);
        if (!webhook.ok) return webhook;
        if (!webhookReplays.take(place)) return fail(REPLAYED_TOO_SOON);
        const replayed = await store.webhooks.replay(auditContext(c), place, Number(input.body.after));
        if (replayed === 'ok') return c.json(showWebhook(webhook.value), 202);
        webhookReplays.giveBack(place);
        return fail(replayed === 'gone' ? NOT_KEPT : NO_WEBHOOK);
      }),
    );

const HOUR_MS = 3_600_000;

const NEWEST_FIRST: ListOrder = {
  keys: [{ column: 'id', descends: true }],
  isValue: (_, value) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value),
};

async function listDeliveries(c: RequestContext, input: Input<typeof WEBHOOKS.deliveries>): Promise<Answer> {
  const { webhooks } = c.env.services.store;
  const { filters } = input.query;
  const place = placeOf(input);
  if ((await webhooks.find(place.tenant, place.webhookId)) === null) return fail(NO_WEBHOOK);
  return answerCursorList(c, input.query, {
    order: NEWEST_FIRST,
    read: async ({ limit, offset, after }) => {
      const page = { limit: limit + 1, offset, after: after === null ? null : String(after[0]) };
      const found = await webhooks.listDeliveries(place, filters, page);
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      return ok({ rows, next: found.length > limit && last !== undefined ? [last.id] : null });
    },
    count: async () => ({ count: await webhooks.countDeliveries(place, filters), isExact: true }),
  });
}

/** Finds a webhook to which something is to be sent, which its secret signs. */
async function findToSend(
  c: RequestContext,
  { tenant, webhookId }: WebhookPlace,
  cipher: SecretCipher | null,
): Promise<Result<WebhookRecord, Failure>> {
  const webhook = await c.env.services.store.webhooks.find(tenant, webhookId);
  if (webhook === null) return fail(NO_WEBHOOK);
  return cipher === null ? fail(NO_KEY) : ok(webhook);
}

const placeOf = ({ caller, params }: WebhookInput): WebhookPlace => ({
  tenant: caller.tenant,
  webhookId: params.id,
});

type WebhookInput = Pick<Input, 'caller'> & { readonly params: { readonly id: string } };

/** A webhook with a new secret. Its ETag is that of the webhook as it is read later, without the secret. */
const withSecret = (webhook: WebhookRecord, bytes: Buffer) => ({
  ...showWebhook(webhook),
  secret: `whsec_${bytes.toString('base64')}`,
});

const answerDelivery = (c: RequestContext, delivery: WebhookDelivery | null): Answer =>
  delivery === null ? fail(failure('NotFound', '', 'There is no such delivery.')) : c.json(delivery, 202);

const NO_WEBHOOK = failure('NotFound', '', 'There is no such webhook.');

const NO_KEY = failure(
  'Conflict',
  '',
  'webhooks need a key for their secrets: the operator of the service sets SECRET_KEY',
);

const REPLAYED_TOO_SOON: ApiFailure = {
  type: 'TooManyRequests',
  causes: [{ at: '', text: 'A webhook may be replayed once a minute.' }],
  retryAfterSeconds: WEBHOOK_REPLAY_SECONDS,
};

const NOT_KEPT = failure('Conflict', 'after', 'the events after this sequence are not kept, or there is no such event');
