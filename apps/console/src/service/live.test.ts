import type { CloudEvent, EventPage, EventPageOptions, EventStreamOptions } from '@access-admin/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { concernsOf, followEvents } from './live.ts';

test.each([
  ['org.access-admin.sod.violation.opened.v1', ['violations']],
  ['org.access-admin.sod.policy.updated.v1', ['policies', 'violations']],
  ['org.access-admin.sod.exception.approved.v1', ['exceptions', 'violations']],
  ['org.access-admin.sod.report.completed.v1', ['reports']],
  ['org.access-admin.sod.check.completed.v1', ['checks']],
  ['org.access-admin.auth-user.capabilities-changed.v1', ['people', 'session']],
  ['org.access-admin.sign-in.locked.v1', ['people']],
  ['org.access-admin.access-model.imported.v1', ['everything']],
])('an event of type %s concerns %j', (type, concerns) => {
  expect(concernsOf(type)).toEqual(concerns);
});

const beginFakeTime = () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
};

test('no time passes until it ends, once it is told to while it waits to try again', async () => {
  beginFakeTime();
  const stop = new AbortController();
  const last = vi.fn(() => Promise.reject(new Error('The service is overloaded.')));
  const lives: boolean[] = [];
  const listener = { onConcern: () => {}, onLive: (isLive: boolean) => void lives.push(isLive) };
  const followed = followEvents({ events: { last, page: vi.fn(), stream: vi.fn() } }, listener, stop.signal);
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  expect(lives).toEqual([false]);
  stop.abort();
  await followed;
  expect(last).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

const CHECK = 'org.access-admin.sod.check.completed.v1';

/** A service whose streams bring what happens after a time, or not at all, while other requests are answered. */
function openService() {
  const events: CloudEvent[] = [];
  let wake = Promise.withResolvers<void>();
  const sequenceOf = (count: number) => String(count).padStart(20, '0');
  const eventsAfter = (after = '') => events.filter(({ sequence }) => sequence > after);
  /** Null where streams bring nothing. */
  const state: { delayMs: number | null } = { delayMs: 0 };
  const happen = () => {
    events.push({ type: CHECK, sequence: sequenceOf(events.length + 1) } as CloudEvent);
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const page = vi.fn(async ({ after, limit }: EventPageOptions = {}): Promise<EventPage> => {
    const items = eventsAfter(after).slice(0, limit);
    return { items, last: items.at(-1)?.sequence ?? sequenceOf(events.length) };
  });
  async function* stream({ after: start = '', signal, onConnection }: EventStreamOptions = {}) {
    const aborted = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    let after = start;
    onConnection?.(true);
    while (signal?.aborted !== true) {
      const [event] = eventsAfter(after);
      const { delayMs } = state;
      if (event === undefined || delayMs === null) await Promise.race([wake.promise, aborted]);
      else {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        after = event.sequence;
        yield event;
      }
    }
    onConnection?.(false);
  }
  const api = { events: { last: async () => sequenceOf(events.length), page, stream: vi.fn(stream) } };
  return { api, state, happen };
}

/** Follows the events of a service, in the time of the test, until the test ends. */
async function follow({ api }: ReturnType<typeof openService>) {
  beginFakeTime();
  const stop = new AbortController();
  const told: (string | boolean)[] = [];
  const tell = (what: string | boolean) => void told.push(what);
  const ended = followEvents(api, { onConcern: tell, onLive: tell }, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
    expect(vi.getTimerCount()).toBe(0);
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(told.splice(0)).toEqual(['everything', true]);
  return told;
}

test('a stream that brings an event no more is begun anew within ten seconds, and everything is read again', async () => {
  const service = openService();
  const told = await follow(service);
  service.state.delayMs = null;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([]);
  service.happen();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told.slice(0, 3)).toEqual([false, 'everything', true]);
});

test('a stream after whose last event nothing happens stays live', async () => {
  const service = openService();
  const told = await follow(service);
  service.happen();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual(['checks']);
  expect(service.api.events.stream).toHaveBeenCalledOnce();
});

test('a stream that brings events later than a page has them stays live', async () => {
  const service = openService();
  const told = await follow(service);
  service.state.delayMs = 1_000;
  for (let count = 0; count < 30; count++) {
    service.happen();
    await vi.advanceTimersByTimeAsync(700);
  }
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual(Array(30).fill('checks'));
});

test('a stream stays live while the service does not answer what is asked beside it', async () => {
  const service = openService();
  const told = await follow(service);
  service.api.events.page.mockRejectedValue(new Error('The service is overloaded.'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([]);
});

test('to ask for events that the stream may have missed is no activity of the session', async () => {
  const service = openService();
  await follow(service);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(service.api.events.page.mock.calls.length).toBeGreaterThanOrEqual(10);
  for (const [options] of service.api.events.page.mock.calls)
    expect(options).toMatchObject({ limit: 1, waitSeconds: 0 });
});
