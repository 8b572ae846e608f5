import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAwaitEvents } from './await-events.ts';

const TYPE = 'sod.policy.created';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Events of one tenant, by their number. */
function openEvents() {
  let last = 0;
  let commit = () => {};
  const awaitEvents = createAwaitEvents({
    events: {
      lastOf: async (tenants) => new Map(tenants.map((tenant) => [tenant, last])),
      find: async (_, { after = 0 }) => ({
        places: Array.from({ length: last - after }, (__, at) => ({ sequence: after + at + 1, type: TYPE, bytes: 1 })),
        through: last,
        range: { oldest: 1, last },
        isGone: false,
      }),
    },
    onCommit: (listener) => {
      commit = () => listener(null);
      return () => {};
    },
    elapsed: () => Date.now(),
  });
  return {
    commit: () => commit(),
    append: () => {
      last += 1;
    },
    wait: (signal: AbortSignal, ms?: number) => awaitEvents({ tenant: 'acme', after: last, types: [TYPE] }, signal, ms),
  };
}

test('a reader is woken after the last one has left and a commit has come before the next look', async () => {
  const { commit, append, wait } = openEvents();
  const leaving = new AbortController();
  const left = wait(leaving.signal);
  await vi.advanceTimersByTimeAsync(50);
  leaving.abort();
  expect(await left).toMatchObject({ isFound: false });
  commit();
  await vi.advanceTimersByTimeAsync(1_000);
  const waiting = wait(new AbortController().signal, 5_000);
  append();
  await vi.advanceTimersByTimeAsync(500);
  const seen = await Promise.race([waiting, vi.advanceTimersByTimeAsync(10_000).then(() => waiting)]);
  expect(seen).toMatchObject({ isFound: true });
});

test('a reader of a tenant whose node is away is told, and those of others wait', async () => {
  const awaitEvents = createAwaitEvents({
    events: {
      lastOf: async (tenants) => new Map(tenants.filter((tenant) => tenant !== 'away').map((tenant) => [tenant, 0])),
      find: () => Promise.reject(new Error('There are no events.')),
    },
    onCommit: () => () => {},
    elapsed: () => Date.now(),
  });
  const waitFor = (tenant: string) =>
    awaitEvents({ tenant, after: 0, types: [TYPE] }, new AbortController().signal, 5_000);
  const away = waitFor('away');
  const other = waitFor('other');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.race([away, other.then(() => null)])).toMatchObject({ isFound: true });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await other).toMatchObject({ isFound: false });
});
