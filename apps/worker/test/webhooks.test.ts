import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AccessModelRecord, type Capability, ok, type WebhookFormat } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { createScheduler } from '@access-admin/scheduling';
import { createSecretCipher, openStore, type WebhookQueue } from '@access-admin/store';
import type { EndedJob } from '@access-admin/telemetry';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLeasedLoop } from '../src/leased/loop.ts';
import { busyMs, wait } from '../src/leased/wait.ts';
import { FAILING_OF_TENANT_MAX } from '../src/webhooks/limits.ts';
import { openDelivery } from '../src/webhooks/open-delivery.ts';
import { identity, importAll, NOW } from './report-world.ts';
import { migrate } from './sample-store.ts';

const TENANT = 'acme';
const REST_MS_MAX = 20;
const SECRET = Buffer.from('a secret of thirty-two characters');
const cipher = createSecretCipher({ current: 'a key that tests give to workers', previous: null });
const context = (time = NOW) => ({
  tenant: TENANT,
  operation: 'test',
  time,
  trackingId: randomUUID(),
  actor: { clientId: 'c-1', identityId: null },
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on loopback, whose answers the test decides. */
async function openReceiver(answer: (response: ServerResponse, received: Received) => void) {
  const all: Received[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const body = String(Buffer.concat(await request.toArray()));
    const received = { headers: request.headers, body };
    all.push(received);
    for (const check of waiting) check();
    answer(response, received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      const check = () => all.length >= count && resolve();
      waiting.push(check);
      check();
    });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, all, until };
}

async function openWorld() {
  const { url, remove } = await createEngineDatabase(undefined, migrate);
  const store = await openStore(url);
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
  const clock = { nowMs: Date.parse(NOW) };
  const create = async (
    id: string,
    hook: string,
    types: readonly string[] = ['*'],
    format: WebhookFormat = 'cloudevents',
  ) => {
    const secret = cipher.seal({ purpose: 'webhook', tenant: TENANT, id }, SECRET);
    const rights = {
      client: null,
      scopes: ['oauth-clients:manage', 'ui-metadata:read', 'webhooks:manage'],
      identityId: null,
    };
    const webhook = { id, name: id, url: hook, types, format, enabled: true, created: NOW, modified: NOW, rights };
    await store.webhooks.create(context(), { webhook, secret }, ok);
  };
  /** Creates a client, as an identity if it is given, and a webhook that it covers. */
  const createCovered = async (id: string, hook: string, identityId: string | null) => {
    const scopes = ['sod-policies:read', 'ui-metadata:read', 'webhooks:manage'];
    const client = { tenant: TENANT, id: `of-${id}`, name: id, scopes, identityId, created: NOW, secretHash: 'h' };
    expect(await store.clients.create(context(), client)).toBe('created');
    const secret = cipher.seal({ purpose: 'webhook', tenant: TENANT, id }, SECRET);
    const rights = { client: { id: client.id, created: NOW }, scopes, identityId };
    const types = ['sod.policy.*', 'ui-metadata.*'];
    const format = 'cloudevents' as const;
    const fields = { name: id, url: hook, types, format, enabled: true, created: NOW, modified: NOW };
    await store.webhooks.create(context(), { webhook: { id, ...fields, rights }, secret }, ok);
  };
  const tell = (label: string) =>
    store.uiMetadata.change(context(), { decide: (metadata) => ok({ ...metadata, usernameLabel: label }) });
  const logged: unknown[] = [];
  const jobs: EndedJob[] = [];
  const work = (targets: readonly string[], replaced: Partial<Pick<WebhookQueue, 'settle'>> = {}) => {
    const stopping = new AbortController();
    const deps = {
      log: { error: (fields: unknown) => void logged.push(fields) },
      tracing: null,
      onStorageFailure: () => {},
      onJobEnd: (job: EndedJob) => void jobs.push(job),
      now: () => clock.nowMs,
      random: () => 0,
      wait,
      yieldIfDue: createScheduler({ elapsed: busyMs, dueAfterMs: 5 }).yieldIfDue,
    };
    const { work: deliveries, close } = openDelivery({
      ...deps,
      // How long rests are is a test of their own.
      wait: (ms, signal) => wait(Math.min(ms, REST_MS_MAX), signal),
      store: { events: store.events, webhooks: { ...store.webhooks, ...replaced } },
      cipher,
      targets: new Set(targets),
      baseAddress: 'https://a.example',
    });
    const ended = createLeasedLoop([deliveries], { ...deps, onCommit: store.onCommit }).run(stopping.signal);
    const stop = async () => {
      stopping.abort();
      await ended;
      close();
    };
    onTestFinished(stop);
    return stop;
  };
  const states = async (webhookId: string) =>
    (await store.webhooks.listDeliveries({ tenant: TENANT, webhookId }, [], { limit: 250, offset: 0 })).toReversed();
  /** Resolves once the stored deliveries are as expected: outcomes are stored in groups. */
  const untilStored = async (webhookId: string, isDone: (all: Awaited<ReturnType<typeof states>>) => boolean) => {
    for (;;) {
      // With a clock that stands still, a webhook that was left after a failure stays claimed.
      expect(logged).toEqual([]);
      const found = await states(webhookId);
      if (isDone(found)) return found;
      await wait(5, new AbortController().signal);
    }
  };
  return { store, clock, jobs, create, createCovered, tell, work, states, untilStored };
}

const PROFILE: AccessModelRecord = { kind: 'identityProfile', id: 'ip', name: 'Employees' };

const admin = (id: string, capability: Capability) => ({
  ...identity(id, null, []),
  capabilities: [capability],
});

const labelOf = ({ body }: Received) => JSON.parse(body).data.usernameLabel;

describe('events are delivered', () => {
  test.each(['slack', 'teams'] as const)('as texts with a link, in the format of %s', async (format) => {
    const { create, tell, work, untilStored } = await openWorld();
    const receiver = await openReceiver((response) => response.writeHead(200).end('ok'));
    await create('w-1', `${receiver.origin}/hook`, ['*'], format);
    await tell('a label');
    work([receiver.origin]);
    await untilStored('w-1', (found) => found.length === 1);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.all;
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    expect(body).toContain('The UI metadata of the tenant have changed.');
    expect(body).toContain('https://a.example/console/settings/login-page');
    expect(JSON.parse(body)).not.toHaveProperty('specversion');
  });

  test('in order, signed, as CloudEvents', async () => {
    const { create, tell, work, untilStored } = await openWorld();
    const receiver = await openReceiver((response) => response.writeHead(204).end());
    await create('w-1', `${receiver.origin}/hook`);
    for (let count = 0; count < 30; count++) await tell(`label ${count}`);
    work([receiver.origin]);
    await receiver.until(30);
    expect(receiver.all.map(labelOf)).toEqual(Array.from({ length: 30 }, (_, count) => `label ${count}`));
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.all;
    const { data: _, ...event } = JSON.parse(body);
    expect(event).toMatchObject({
      specversion: '1.0',
      source: 'https://a.example',
      type: 'org.access-admin.ui-metadata.changed.v1',
      subject: '/ui-metadata/v1/tenant',
      datacontenttype: 'application/json',
      id: headers['webhook-id'],
      sequence: '00000000000000000001',
    });
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', SECRET).update(signed).digest('base64');
    expect(headers).toMatchObject({
      'content-type': 'application/cloudevents+json',
      'webhook-signature': `v1,${signature}`,
    });
    const stored = await untilStored('w-1', (found) => found.length === 30);
    expect(new Set(stored.map(({ state }) => state))).toEqual(new Set(['SUCCEEDED']));
  });

  test('each attempt is told with its outcome', async () => {
    const { clock, jobs, create, tell, work, untilStored } = await openWorld();
    let isHealed = false;
    const receiver = await openReceiver((response) => response.writeHead(isHealed ? 204 : 500).end());
    await create('w-1', `${receiver.origin}/hook`);
    await tell('one');
    clock.nowMs += 250;
    work([receiver.origin]);
    const [{ id: deliveryId } = { id: '' }] = await untilStored('w-1', (found) => found.length === 1);
    isHealed = true;
    clock.nowMs += 60_000;
    await untilStored('w-1', (found) => found[0]?.state === 'SUCCEEDED');
    const job = { kind: 'delivery', tenant: TENANT, workedMs: 0, traceparent: null };
    const ids = { webhookId: 'w-1', deliveryId, eventId: receiver.all[0]?.headers['webhook-id'] };
    expect(jobs).toEqual([
      { ...job, ids, startedMs: expect.any(Number), waitedMs: 250, attempt: 1, outcome: 'retry' },
      { ...job, ids, startedMs: clock.nowMs, waitedMs: 60_000, attempt: 2, outcome: 'success' },
    ]);
  });

  test('those that match only, and a failing one does not hold up later ones', async () => {
    const { store, clock, create, tell, work, untilStored } = await openWorld();
    let isHealed = false;
    const receiver = await openReceiver((response, received) =>
      response.writeHead(labelOf(received) === 'bad' && !isHealed ? 500 : 200).end(),
    );
    await create('w-1', receiver.origin, ['ui-metadata.*']);
    await create('w-none', receiver.origin, ['oauth-client.*']);
    for (const label of ['first', 'bad', 'last']) await tell(label);
    work([receiver.origin]);
    const stored = await untilStored('w-1', (found) => found.length === 3);
    expect(stored.map(({ state }) => state)).toEqual(['SUCCEEDED', 'PENDING', 'SUCCEEDED']);
    expect(stored[1]).toMatchObject({
      attempts: [{ status: 500 }],
      next: new Date(clock.nowMs + 5_000).toISOString(),
    });
    isHealed = true;
    clock.nowMs += 5_000;
    const after = await untilStored('w-1', (found) => found[1]?.state === 'SUCCEEDED');
    expect(after[1]?.attempts.map(({ status }) => status)).toEqual([500, 200]);
    expect(receiver.all.map(labelOf)).toEqual(['first', 'bad', 'last', 'bad']);
    expect(await store.webhooks.countDeliveries({ tenant: TENANT, webhookId: 'w-none' }, [])).toBe(0);
  });

  test('410 disables the webhook, and another one is told', async () => {
    const { store, create, tell, work } = await openWorld();
    const gone = await openReceiver((response) => response.writeHead(410).end());
    const watching = await openReceiver((response) => response.end());
    await create('w-gone', gone.origin, ['ui-metadata.*']);
    await create('w-watch', watching.origin, ['webhook.disabled']);
    await tell('any');
    work([gone.origin, watching.origin]);
    await watching.until(1);
    const { data, type } = JSON.parse(watching.all[0]?.body ?? '{}');
    expect([type, data.id, data.enabled]).toEqual(['org.access-admin.webhook.disabled.v1', 'w-gone', false]);
    expect(JSON.stringify(data)).not.toContain('secret');
    expect((await store.webhooks.find(TENANT, 'w-gone'))?.enabled).toBe(false);
    await tell('more');
    expect(gone.all.length).toBe(1);
  });

  test('as long as the caller that covers the webhook has its rights', async () => {
    const { store, create, createCovered, tell, work } = await openWorld();
    const receivers = new Map<string, Awaited<ReturnType<typeof openReceiver>>>();
    const ids = ['capabilities', 'client', 'identity', 'scopes', 'fewer'];
    for (const id of ids) receivers.set(id, await openReceiver((response) => response.end()));
    const watching = await openReceiver((response) => response.end());
    const originOf = (id: string) => receivers.get(id)?.origin ?? '';
    const labelsOf = (id: string) => receivers.get(id)?.all.map(labelOf);
    await importAll(store, TENANT, [PROFILE, admin('ada', 'ORG_ADMIN'), admin('bea', 'ORG_ADMIN')]);
    for (const id of ids) await createCovered(id, originOf(id), { capabilities: 'ada', identity: 'bea' }[id] ?? null);
    await create('w-watch', watching.origin, ['webhook.disabled']);
    work([watching.origin, ...ids.map(originOf)]);
    await tell('before');
    for (const receiver of receivers.values()) await receiver.until(1);
    await store.authUsers.change(context(), 'ada', { decide: ({ user }) => ok({ ...user, capabilities: [] }) });
    expect(await store.clients.delete(context(), 'of-client')).toMatchObject({ ok: true });
    await importAll(store, TENANT, [{ kind: 'identity', id: 'bea', delete: true }]);
    const keep = (id: string, scopes: readonly string[]) =>
      store.clients.change(context(), id, { decide: ({ client }) => ok({ ...client, scopes }) });
    expect(await keep('of-scopes', ['ui-metadata:read'])).toMatchObject({ ok: true });
    expect(await keep('of-fewer', ['webhooks:manage', 'sod-policies:read'])).toMatchObject({ ok: true });
    await tell('after');
    await watching.until(4);
    const told = watching.all.map(({ body }) => JSON.parse(body).data).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const reasonOfRights = 'The caller that configured the webhook may no longer manage webhooks.';
    expect(told.map(({ id, enabled, reason }) => [id, enabled, reason])).toEqual([
      ['capabilities', false, reasonOfRights],
      ['client', false, 'The client that set the webhook is deleted.'],
      ['identity', false, 'The identity that set the webhook is deleted.'],
      ['scopes', false, reasonOfRights],
    ]);
    for (const id of ids) expect([id, labelsOf(id)]).toEqual([id, ['before']]);
    expect((await store.webhooks.find(TENANT, 'fewer'))?.enabled).toBe(true);
    // Neither a repetition nor a replay goes around the rights.
    const place = { tenant: TENANT, webhookId: 'fewer' };
    const [delivery] = await store.webhooks.listDeliveries(place, [], { limit: 1, offset: 0 });
    await store.webhooks.resend(context(), place, { id: delivery?.id ?? '', nowMs: Date.parse(NOW) });
    const isFailed = [{ field: 'state', operator: 'in', values: ['FAILED'] }] as const;
    await expect.poll(() => store.webhooks.countDeliveries(place, isFailed)).toBe(1);
    expect(await store.webhooks.replay(context(), place, 0)).toBe('ok');
    await expect.poll(async () => (await store.webhooks.measureBacklog()).depth).toBe(0);
    expect(labelsOf('fewer')).toEqual(['before']);
  });

  test('a receiver that hangs costs other webhooks nothing, and what a worker abandons is delivered by the next', async () => {
    const { create, tell, work, untilStored } = await openWorld();
    const hanging = await openReceiver(() => {});
    const good = await openReceiver((response) => response.end());
    await create('w-hanging', hanging.origin);
    await create('w-good', good.origin);
    const stop = work([hanging.origin, good.origin]);
    for (let count = 0; count < 20; count++) await tell(`label ${count}`);
    await good.until(20);
    expect(good.all.map(labelOf)).toEqual(Array.from({ length: 20 }, (_, count) => `label ${count}`));
    await hanging.until(1);
    expect(hanging.all.map(labelOf)).toEqual(['label 0']);
    await untilStored('w-good', (found) => found.length === 20);
    await stop();
    work([hanging.origin]);
    await hanging.until(2);
    expect(labelOf(hanging.all[1] as Received)).toBe('label 0');
  });

  test('of receivers of a tenant that fail, a few are tried at a time, and outcomes of retries are stored together', async () => {
    const { store, clock, create, tell, work, untilStored } = await openWorld();
    const held = new Set<ServerResponse>();
    let isHolding = false;
    const failing = await openReceiver((response) => {
      if (isHolding) held.add(response);
      else response.writeHead(500).end();
    });
    const good = await openReceiver((response) => response.end());
    const ids = Array.from({ length: 3 * FAILING_OF_TENANT_MAX }, (_, at) => `w-${at}`);
    for (const id of ids) await create(id, `${failing.origin}/${id}`, ['ui-metadata.*']);
    await create('w-good', good.origin, ['oauth-client.*']);
    const eventCount = 12;
    for (let count = 0; count < eventCount; count++) await tell(`label ${count}`);
    let retriesStored = 0;
    work([failing.origin, good.origin], {
      settle: (claim, settlement) => {
        if (settlement.outcomes.some(({ attempts }) => attempts.length > 1)) retriesStored += 1;
        return store.webhooks.settle(claim, settlement);
      },
    });
    const untilAttempted = (attempts: number) =>
      Promise.all(
        ids.map((id) =>
          untilStored(
            id,
            (found) => found.length === eventCount && found.every((one) => one.attempts.length === attempts),
          ),
        ),
      );
    await untilAttempted(1);
    isHolding = true;
    clock.nowMs += 5_000;
    const heldMax = 4 * FAILING_OF_TENANT_MAX;
    await failing.until(ids.length * eventCount + heldMax);
    const client = {
      tenant: TENANT,
      id: 'c-9',
      name: 'c',
      scopes: [],
      identityId: null,
      created: NOW,
      secretHash: 'h',
    };
    await store.clients.create(context(), client);
    await good.until(1);
    expect(held.size).toBe(heldMax);
    isHolding = false;
    for (const response of held) response.writeHead(500).end();
    await untilAttempted(2);
    expect(retriesStored).toBe(ids.length);
  });

  test('a test is sent once, a delivery again on request, and all events after a sequence', async () => {
    const { store, clock, create, tell, work, untilStored } = await openWorld();
    const receiver = await openReceiver((response) => response.end());
    await create('w-1', receiver.origin);
    for (const label of ['a', 'b']) await tell(label);
    work([receiver.origin]);
    const [first] = await untilStored('w-1', (found) => found.length === 2);
    const place = { tenant: TENANT, webhookId: 'w-1' };
    await store.webhooks.resend(context(), place, { id: first?.id ?? '', nowMs: clock.nowMs });
    await receiver.until(3);
    expect(receiver.all.map(labelOf)).toEqual(['a', 'b', 'a']);
    expect(receiver.all[2]?.headers['webhook-id']).toBe(receiver.all[0]?.headers['webhook-id']);
    await untilStored('w-1', (found) => found[0]?.attempts.length === 2);
    const test = { ...place, id: 'f', eventId: 'e-test', created: NOW, data: '{"id":"w-1"}' };
    await store.webhooks.test(context(), test, clock.nowMs);
    await receiver.until(4);
    expect(JSON.parse(receiver.all[3]?.body ?? '')).toMatchObject({
      type: 'org.access-admin.webhook.test.v1',
      id: 'e-test',
    });
    await untilStored('w-1', (found) => found.every(({ state }) => state === 'SUCCEEDED'));
    expect(await store.webhooks.replay(context(), place, 99)).toBe('gone');
    expect(await store.webhooks.replay(context(), place, 1)).toBe('ok');
    await receiver.until(5);
    expect(labelOf(receiver.all[4] as Received)).toBe('b');
  });
});
