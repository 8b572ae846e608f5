import {
  ApiError,
  type CloudEvent,
  type EventPage,
  type EventPageOptions,
  type EventStreamOptions,
} from '@access-admin/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { concernsOf, followEvents } from './live.ts';

test.each([
  ['org.access-admin.sod.violation.opened.v1', ['violations']],
  ['org.access-admin.sod.policy.updated.v1', ['policies', 'violations']],
  ['org.access-admin.sod.reservation.created.v1', ['policies', 'people']],
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
        // It passes in the time of the test.
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

/** How many streams have begun by each event that happens, so that none of them brings it. */
async function countStreams(service: ReturnType<typeof openService>, seconds: number): Promise<number> {
  const { stream } = service.api.events;
  const before = stream.mock.calls.length;
  service.happen();
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  return stream.mock.calls.length - before;
}

test('a stream that is begun anew in vain is given more time each time, and no more once it has brought an event', async () => {
  const service = openService();
  const told = await follow(service);
  service.state.delayMs = null;
  // Each is begun anew 2 s, 4 s, 8 s and 15 s after a look has found the event.
  for (const seconds of [6, 8, 12, 19, 19]) expect(await countStreams(service, seconds)).toBe(1);
  expect(await countStreams(service, 14)).toBe(0);
  await vi.advanceTimersByTimeAsync(5_000);
  service.state.delayMs = 0;
  service.happen();
  await vi.advanceTimersByTimeAsync(0);
  expect(told.at(-1)).toBe('checks');
  service.state.delayMs = null;
  expect(await countStreams(service, 6)).toBe(1);
});

test('consoles that begin at the same time do not look at the same time', async () => {
  const random = vi.spyOn(Math, 'random');
  onTestFinished(() => random.mockRestore());
  const service = openService();
  await follow(service);
  const { page } = service.api.events;
  const looksIfRandomIs = async (value: number) => {
    random.mockReturnValue(value);
    page.mockClear();
    await vi.advanceTimersByTimeAsync(60_000);
    return page.mock.calls.length;
  };
  expect(await looksIfRandomIs(0)).toBeGreaterThan(await looksIfRandomIs(0.999));
});

const gone = () =>
  new ApiError('list-events-v1', {
    status: 410,
    detailCode: null,
    trackingId: null,
    messages: [],
    causes: [],
    retryAfterMs: null,
  });

test('a stream after whose last event the service keeps no others is begun anew', async () => {
  const service = openService();
  const told = await follow(service);
  service.api.events.page.mockRejectedValueOnce(gone());
  await vi.advanceTimersByTimeAsync(4_000);
  expect(told).toEqual([false, 'everything', true]);
});

test('an answer that takes too long is awaited no longer, and asked for again', async () => {
  const service = openService();
  const told = await follow(service);
  const signals: AbortSignal[] = [];
  service.api.events.page.mockImplementation(async ({ signal } = {}) => {
    if (signal === undefined) throw new Error('The look has no end.');
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await vi.advanceTimersByTimeAsync(7_000);
  expect(signals[0]?.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(signals.length).toBe(2);
  expect(told).toEqual([]);
});

test('an answer is awaited no longer once the events are followed no more', async () => {
  beginFakeTime();
  const service = openService();
  const stop = new AbortController();
  const aborted = vi.fn();
  service.api.events.page.mockImplementation(
    ({ signal } = {}) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted();
          reject(signal.reason);
        });
      }),
  );
  const followed = followEvents(service.api, { onConcern: () => {}, onLive: () => {} }, stop.signal);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(service.api.events.page).toHaveBeenCalledOnce();
  stop.abort();
  await followed;
  await vi.advanceTimersByTimeAsync(0);
  expect(aborted).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test('a service that keeps refusing to go on is asked again at once the first time, then after a pause', async () => {
  beginFakeTime();
  const service = openService();
  const stop = new AbortController();
  // biome-ignore lint/correctness/useYield: it fails before its first event.
  service.api.events.stream.mockImplementation(async function* () {
    throw gone();
  });
  const followed = followEvents(service.api, { onConcern: () => {}, onLive: () => {} }, stop.signal);
  await vi.advanceTimersByTimeAsync(0);
  expect(service.api.events.stream).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(service.api.events.stream).toHaveBeenCalledTimes(7);
  stop.abort();
  await followed;
});
