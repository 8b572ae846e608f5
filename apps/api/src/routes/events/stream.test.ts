import { newEvent } from '@access-admin/domain';
import { createScheduler, createSemaphore, type Scheduler, type Semaphore } from '@access-admin/scheduling';
import type { EventPage, EventStore } from '@access-admin/store';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ApiEnv } from '../../env.ts';
import { newRequestState } from '../../http/request-state.ts';
import type { AwaitEvents } from './await-events.ts';
import { streamEvents } from './stream.ts';

const KIB = 1024;
/** A page with one event. */
function pageOf(text: string): EventPage {
  const happening = { time: '2026-03-01T00:00:00.000Z', data: {} };
  const event = { ...newEvent('sod.policy.created', null, happening), data: JSON.stringify({ text }) };
  return { events: [{ ...event, sequence: 1, id: 'e-1' }], range: { oldest: 1, last: 1 }, through: 1, isGone: false };
}

interface StreamServices {
  readonly read: EventStore['read'];
  readonly awaitEvents: AwaitEvents;
  readonly eventBytes: Semaphore;
  readonly scheduler: Scheduler;
  readonly elapsed?: () => number;
}

/** The services that a stream uses. */
const servicesOf = ({
  read,
  awaitEvents,
  eventBytes,
  scheduler,
  elapsed = () => performance.now(),
}: StreamServices) => ({
  store: { events: { read } },
  awaitEvents,
  semaphores: { eventBytes },
  scheduler,
  system: { elapsed },
  stopping: new AbortController().signal,
  log: { error: () => {} },
});

test('a reader that takes nothing holds the memory of its tenant, and none of others', async () => {
  // One page of a tenant and one of another.
  const bytes = createSemaphore({
    capacity: 640 * KIB,
    waitingMax: 10,
    waitMsMax: 60_000,
    elapsed: () => performance.now(),
  });
  const app = new Hono<ApiEnv>();
  app.get('/:tenant', (c) => {
    const reader = {
      tenant: c.req.param('tenant'),
      source: 'http://x',
      after: 0,
      known: 1,
      types: ['sod.policy.created'] as const,
      watchTypes: () => () => {},
      onEnd: () => {},
    };
    return new Response(streamEvents(c, reader));
  });
  const services = servicesOf({
    read: async () => pageOf('x'.repeat(300 * KIB)),
    awaitEvents: () => new Promise(() => {}),
    eventBytes: bytes,
    scheduler: createScheduler({ elapsed: () => performance.now(), dueAfterMs: 5 }),
  });
  const open = async (tenant: string) => {
    const { body } = await app.request(`/${tenant}`, {}, { state: newRequestState('x'), services });
    const reader = body?.getReader();
    const decoder = new TextDecoder();
    return async () => {
      for (let text = ''; ; ) {
        const piece = await reader?.read();
        text += decoder.decode(piece?.value, { stream: true });
        if (text.includes('\ndata: ')) return text.length;
      }
    };
  };
  const takeFirst = await open('a');
  await expect.poll(() => bytes.usage().held).toBeGreaterThan(300 * KIB);
  const takeSecond = await open('a');
  await expect.poll(() => bytes.usage().waiting).toBe(1);
  const takeOther = await open('b');
  expect(await takeOther()).toBeGreaterThan(300 * KIB);
  expect(bytes.usage().waiting).toBe(1);
  expect(await takeFirst()).toBeGreaterThan(300 * KIB);
  expect(await takeSecond()).toBeGreaterThan(300 * KIB);
  await expect.poll(() => bytes.usage()).toEqual({ held: 0, waiting: 0, tenants: 0 });
});

test('of streams that all have something to write, one writes in a turn of the event loop, and tenants take turns', async () => {
  const bytes = createSemaphore({ capacity: 2 ** 30, elapsed: () => performance.now() });
  const scheduler = createScheduler({ elapsed: () => performance.now(), dueAfterMs: 5 });
  const hasEvents = Promise.withResolvers<void>();
  const app = new Hono<ApiEnv>();
  let waiting = 0;
  app.get('/:tenant', (c) => {
    const reader = {
      tenant: c.req.param('tenant'),
      source: 'http://x',
      after: 0,
      known: 0,
      types: ['sod.policy.created'] as const,
      watchTypes: () => () => {},
      onEnd: () => {},
    };
    return new Response(streamEvents(c, reader));
  });
  const services = servicesOf({
    read: async () => pageOf('page'),
    awaitEvents: async ({ after }) => {
      waiting += 1;
      await (after === 0 ? hasEvents.promise : new Promise(() => {}));
      return { isFound: true, through: after };
    },
    eventBytes: bytes,
    scheduler,
  });
  let turn = 0;
  const pages: { readonly tenant: string; readonly turn: number }[] = [];
  const open = async (tenant: string) => {
    const { body } = await app.request(`/${tenant}`, {}, { state: newRequestState('x'), services });
    for await (const piece of body ?? [])
      if (Buffer.from(piece).includes('"page"')) {
        pages.push({ tenant, turn });
        return;
      }
  };
  const opened = Promise.all([...Array.from({ length: 50 }, () => open('a')), open('b')]);
  await expect.poll(() => waiting).toBe(51);
  const countTurn = () => {
    turn += 1;
    if (pages.length < 51) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  hasEvents.resolve();
  await opened;
  const byTurn = Map.groupBy(pages, (page) => page.turn);
  expect([...byTurn.values()].filter((some) => some.length > 1)).toEqual([]);
  expect(pages.findIndex(({ tenant }) => tenant === 'b')).toBeLessThan(3);
});

test('a reader without events gets a comment every 15 seconds', async () => {
  const app = new Hono<ApiEnv>();
  app.get('/', (c) => {
    const reader = {
      tenant: 'a',
      source: 'http://x',
      after: 0,
      known: 0,
      types: [],
      watchTypes: () => () => {},
      onEnd: () => {},
    };
    return new Response(streamEvents(c, reader));
  });
  let nowMs = 0;
  const waits: number[] = [];
  const services = servicesOf({
    read: async () => pageOf('x'),
    awaitEvents: async ({ after }, _, ms = 0) => {
      if (nowMs === 30_000) await new Promise(() => {});
      waits.push(ms);
      nowMs += ms;
      return { isFound: false, through: after };
    },
    eventBytes: createSemaphore({ capacity: 640 * KIB, elapsed: () => nowMs }),
    scheduler: createScheduler({ elapsed: () => nowMs, dueAfterMs: 5 }),
    elapsed: () => nowMs,
  });
  const { body } = await app.request('/', {}, { state: newRequestState('x'), services });
  let text = '';
  for await (const piece of body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.split(': events\n\n').length === 4) break;
  }
  expect(waits).toEqual([4_000, 4_000, 4_000, 3_000, 4_000, 4_000, 4_000, 3_000]);
});
