import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ok } from '@access-admin/domain';
import { createEngineDatabase, openFolder, type RunningProcess, startAppFromSources } from '@access-admin/harness';
import { createSecretCipher, openStore, type Store } from '@access-admin/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NOW } from './report-world.ts';
import { migrate } from './sample-store.ts';

const TENANT = 'acme';
const SECRET_KEY = 'a-key-that-tests-give-to-their-workers';
const EVENTS = 40;
const KILLS = 2;
const context = {
  tenant: TENANT,
  operation: 'test',
  time: new Date().toISOString(),
  trackingId: 't',
  actor: { clientId: 'c', identityId: null },
};

async function createWebhook({ webhooks }: Store, id: string, url: string): Promise<void> {
  const cipher = createSecretCipher({ current: SECRET_KEY, previous: null });
  const secret = cipher.seal({ purpose: 'webhook', tenant: TENANT, id }, Buffer.alloc(32, 1));
  const rights = { client: null, scopes: ['ui-metadata:read', 'webhooks:manage'] as const, identityId: null };
  const fields = {
    name: id,
    url,
    types: ['*'],
    format: 'cloudevents' as const,
    enabled: true,
    created: NOW,
    modified: NOW,
  };
  await webhooks.create(context, { webhook: { id, ...fields, rights }, secret }, ok);
}

interface Received {
  readonly label: number;
  readonly response: ServerResponse;
}

function acknowledge(acknowledged: number[], { label, response }: Received): void {
  acknowledged.push(label);
  response.end();
}

/** A receiver that holds every answer until it is released. */
async function openReceiver() {
  const received: Received[] = [];
  let hasMore = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    received.push({ label: Number(data.usernameLabel), response });
    hasMore.resolve();
    hasMore = Promise.withResolvers();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  let taken = 0;
  const next = async () => {
    while (taken === received.length) await hasMore.promise;
    const one = received[taken++];
    if (one === undefined) throw new Error('nothing was received');
    return one;
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, next };
}

// Well below the time after which an attempt fails.
const HELD_MS = 5_000;

/** On a busy machine a start takes long: until then, `advance` answers what is held, so that no attempt fails. */
async function untilWorking(worker: RunningProcess, advance: () => Promise<void>): Promise<void> {
  let heldMs = performance.now();
  const outputOf = async () => {
    if (performance.now() - heldMs < HELD_MS) return worker.output();
    await advance();
    heldMs = performance.now();
    return worker.output();
  };
  await expect.poll(outputOf).toContain('working');
}

/** A webhook of a receiver, with events that wait for it, and a way to start workers. */
async function openWorld() {
  const { url, remove } = await createEngineDatabase(undefined, migrate);
  const store = await openStore(url);
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
  const receiver = await openReceiver();
  await createWebhook(store, 'w-1', receiver.origin);
  for (let label = 1; label <= EVENTS; label++)
    await store.uiMetadata.change(context, { decide: (before) => ok({ ...before, usernameLabel: `${label}` }) });
  const env = { DATABASE_URL: url, SECRET_KEY, WEBHOOK_TARGETS: receiver.origin };
  const start = () => {
    const folder = openFolder('worker');
    const running = startAppFromSources('worker', { env, cwd: folder.path });
    onTestFinished(async () => {
      await running[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    });
    return running;
  };
  return { store, receiver, start };
}

describe('workers that end or stand still in the middle of a delivery', () => {
  test('lose nothing: another one goes on in order', async () => {
    const { store, receiver, start } = await openWorld();
    let holder = start();
    const acknowledged: number[] = [];
    let one = await receiver.next();
    for (let kill = 1; kill <= KILLS; kill++) {
      for (; one.label < kill * 10; one = await receiver.next()) acknowledge(acknowledged, one);
      const another = start();
      await untilWorking(another, async () => {
        acknowledge(acknowledged, one);
        one = await receiver.next();
      });
      await holder.stop('SIGKILL');
      const repeated = await receiver.next();
      expect(repeated.label).toBeLessThanOrEqual(one.label);
      [holder, one] = [another, repeated];
    }
    for (; one.label < EVENTS; one = await receiver.next()) acknowledge(acknowledged, one);
    acknowledge(acknowledged, one);
    const firsts = [...new Set(acknowledged)];
    expect(firsts).toEqual(Array.from({ length: EVENTS }, (_, at) => at + 1));
    const place = { tenant: TENANT, webhookId: 'w-1' };
    const isDone = [{ field: 'state', operator: 'in', values: ['SUCCEEDED'] }] as const;
    await expect.poll(() => store.webhooks.countDeliveries(place, isDone)).toBe(EVENTS);
    expect(await store.webhooks.countDeliveries(place, [])).toBe(EVENTS);
    // A worker that is told to stop ends its attempt and releases the webhook at once.
    await store.uiMetadata.change(context, { decide: (before) => ok({ ...before, usernameLabel: '99' }) });
    await receiver.next();
    expect(await holder.stop()).toMatchObject({ code: 0 });
    const [claim] = await store.webhooks.claim({ nowMs: Date.now(), leaseMs: 4_000, limit: 1 });
    expect(claim).toMatchObject({ webhookId: 'w-1', cursor: EVENTS });
  });

  test('a worker that stands still past its lease stores nothing when it goes on', async () => {
    const { store, receiver, start } = await openWorld();
    const place = { tenant: TENANT, webhookId: 'w-1' };
    const still = start();
    const acknowledged: number[] = [];
    let one = await receiver.next();
    for (; one.label < 10; one = await receiver.next()) acknowledge(acknowledged, one);
    const another = start();
    await untilWorking(another, async () => {
      acknowledge(acknowledged, one);
      one = await receiver.next();
    });
    process.kill(still.pid, 'SIGSTOP');
    const held = one;
    one = await receiver.next();
    expect(one.label).toBeLessThanOrEqual(held.label);
    for (; one.label < 30; one = await receiver.next()) acknowledge(acknowledged, one);
    // Its answer has arrived when it goes on; the webhook is the other's by then.
    held.response.end();
    process.kill(still.pid, 'SIGCONT');
    for (; one.label < EVENTS; one = await receiver.next()) acknowledge(acknowledged, one);
    acknowledge(acknowledged, one);
    expect([...new Set(acknowledged)]).toEqual(Array.from({ length: EVENTS }, (_, at) => at + 1));
    await expect.poll(() => store.webhooks.countDeliveries(place, [])).toBe(EVENTS);
    const deliveries = await store.webhooks.listDeliveries(place, [], { limit: 250, offset: 0 });
    expect(new Set(deliveries.map(({ sequence }) => sequence)).size).toBe(EVENTS);
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['SUCCEEDED']));
    expect(await still.stop()).toMatchObject({ code: 0 });
    expect(await another.stop()).toMatchObject({ code: 0 });
  });
});
