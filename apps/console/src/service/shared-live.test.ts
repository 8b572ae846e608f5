import type { CloudEvent } from '@access-admin/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareEvents } from './shared-live.ts';

/** A service that counts the streams that are open, and sends an event to all of them. */
function openService() {
  const streams = new Set<(event: CloudEvent) => void>();
  const api = {
    events: {
      last: async (_options: { signal?: AbortSignal } = {}) => '7',
      page: async () => ({ items: [], last: '7' }),
      async *stream({ signal, onConnection }: { signal?: AbortSignal; onConnection?: (is: boolean) => void } = {}) {
        const waiting: CloudEvent[] = [];
        let wake = () => {};
        const send = (event: CloudEvent) => {
          waiting.push(event);
          wake();
        };
        signal?.addEventListener('abort', () => wake());
        streams.add(send);
        onConnection?.(true);
        while (signal?.aborted !== true) {
          yield* waiting.splice(0);
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (signal?.aborted === true || waiting.length > 0) resolve();
          });
        }
        streams.delete(send);
        onConnection?.(false);
      },
    },
  };
  const send = (type: string) => {
    for (const each of streams) each({ type } as CloudEvent);
  };
  return { api, streams, send };
}

/** A window that follows events. */
function openWindow({ api }: ReturnType<typeof openService>, hasFollowed = false, build?: string) {
  const stop = new AbortController();
  const concerns: string[] = [];
  const state = { isLive: false };
  const ended = shareEvents(
    api as never,
    {
      onConcern: (concern) => concerns.push(concern),
      onLive: (isLive) => {
        state.isLive = isLive;
      },
      hasFollowed,
    },
    stop.signal,
    build,
  );
  const close = async () => {
    stop.abort();
    await ended;
  };
  return { concerns, state, close };
}

let windows: ReturnType<typeof openWindow>[] = [];
beforeEach(() => {
  windows = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(windows.map(({ close }) => close()));
});

const areLive = (all: typeof windows) => vi.waitUntil(() => all.every(({ state }) => state.isLive));

test('eight windows have one stream, and each is told of what it says', async () => {
  const service = openService();
  windows = Array.from({ length: 8 }, () => openWindow(service));
  await areLive(windows);
  expect(service.streams.size).toBe(1);
  service.send('org.access-admin.sod.check.completed.v1');
  await vi.waitUntil(() => windows.every(({ concerns }) => concerns.includes('checks')));
  for (const { concerns } of windows) expect(concerns.filter((concern) => concern === 'checks')).toEqual(['checks']);
});

test('another window goes on when the one that reads is closed, and all read again what may have been missed', async () => {
  const service = openService();
  windows = Array.from({ length: 3 }, () => openWindow(service));
  await areLive(windows);
  const [first, ...others] = windows;
  await first?.close();
  expect(first?.state.isLive).toBe(false);
  await vi.waitUntil(() => others.every(({ concerns }) => concerns.includes('everything')));
  await areLive(others);
  expect(service.streams.size).toBe(1);
});

test('windows that another one goes on for are not live while its stream hangs before its first answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const service = openService();
  windows = [openWindow(service), openWindow(service), openWindow(service)];
  await areLive(windows);
  service.api.events.last = ({ signal } = {}) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  const [first, ...others] = windows;
  await first?.close();
  await vi.advanceTimersByTimeAsync(9_000);
  await vi.waitUntil(() => others.every(({ state }) => !state.isLive));
});

test('a window of another build has a stream of its own', async () => {
  const service = openService();
  windows = [openWindow(service)];
  windows.push(openWindow(service, false, 'another'));
  await areLive(windows);
  expect(service.streams.size).toBe(2);
});

test('a window that comes back reads everything again', async () => {
  const service = openService();
  windows = [openWindow(service)];
  await areLive(windows);
  windows.push(openWindow(service, true));
  await areLive(windows);
  expect(windows[1]?.concerns).toEqual(['everything']);
  expect(service.streams.size).toBe(1);
});

test('a frame of another site, to which the browser denies locks, has a stream of its own', async () => {
  vi.spyOn(navigator.locks, 'request').mockRejectedValue(new DOMException('denied', 'SecurityError'));
  const service = openService();
  windows = [openWindow(service), openWindow(service)];
  await areLive(windows);
  expect(service.streams.size).toBe(2);
});
