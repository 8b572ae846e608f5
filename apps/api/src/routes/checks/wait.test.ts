import type { ArisingWork, StoredCheck } from '@access-admin/store';
import { expect, test } from 'vitest';
import { createAwaitCheck } from './wait.ts';

const check = (requestId: string, state: StoredCheck['state']): StoredCheck => ({
  requestId,
  created: '',
  state,
  completed: null,
  resultBytes: 0,
  result: null,
});

/** A queue of checks that are pending unless they are in `done`; reads are recorded and can be delayed. */
function openQueue() {
  const done = new Set<string>();
  const reads: string[] = [];
  const commit: ((arising: ArisingWork | null) => void)[] = [];
  const stopping = new AbortController();
  const state = { underWay: 0, mostUnderWay: 0, fails: false, afterRead: (_: number) => {} };
  const find = async (tenant: string, requestId: string) => {
    reads.push(`${tenant}/${requestId}`);
    state.underWay += 1;
    state.mostUnderWay = Math.max(state.mostUnderWay, state.underWay);
    await new Promise(setImmediate);
    state.underWay -= 1;
    state.afterRead(reads.length);
    if (state.fails) throw new Error('away');
    return check(requestId, done.has(requestId) ? 'SUCCESS' : 'PENDING');
  };
  const awaitCheck = createAwaitCheck({
    checks: { find },
    onCommit: (listener) => {
      commit.push(listener);
      return () => {};
    },
    stopping: stopping.signal,
  });
  const waitFor = (tenant: string, requestId: string, signal = new AbortController().signal) =>
    awaitCheck({ tenant, requestId, waitMs: 30_000, signal });
  /** Waits until all requests have read once, and forgets those reads. */
  const settleIn = async () => {
    await expect.poll(() => state.underWay).toBe(0);
    reads.length = 0;
    state.mostUnderWay = 0;
  };
  const notify = (arising: ArisingWork | null = null) => commit.forEach((listener) => void listener(arising));
  return { done, reads, state, stopping, awaitCheck, waitFor, settleIn, notify };
}

test('requests that wait for one check share a read at each commit', async () => {
  const { done, reads, state, waitFor, settleIn, notify } = openQueue();
  const waiting = Array.from({ length: 100 }, () => waitFor('a', 'c'));
  await settleIn();
  notify();
  await expect.poll(() => [reads.length, state.underWay]).toEqual([1, 0]);
  done.add('c');
  notify();
  expect(new Set((await Promise.all(waiting)).map((found) => found?.state))).toEqual(new Set(['SUCCESS']));
  expect(reads).toEqual(['a/c', 'a/c']);
});

test('a commit causes a read at once, those that follow cause one more, and new checks none', async () => {
  const { reads, waitFor, settleIn, notify, stopping } = openQueue();
  const waiting = waitFor('a', 'c');
  await settleIn();
  notify('checks');
  notify('register');
  expect(reads).toEqual([]);
  notify('events');
  expect(reads).toEqual(['a/c']);
  notify('events');
  notify('events');
  await expect.poll(() => reads).toEqual(['a/c', 'a/c']);
  stopping.abort();
  await waiting;
});

test('any number of waiting requests causes at most two concurrent reads, and no commit is missed', async () => {
  const { done, reads, state, waitFor, settleIn, notify } = openQueue();
  const ids = Array.from({ length: 200 }, (_, at) => `c${at}`);
  const waiting = ids.map((id) => waitFor('a', id));
  await settleIn();
  state.afterRead = (count) => {
    // All checks complete during the first round of reads.
    if (count !== 100) return;
    for (const id of ids) done.add(id);
    notify();
  };
  notify();
  await Promise.all(waiting);
  expect(reads.length).toBeGreaterThan(200);
  expect(state.mostUnderWay).toBe(2);
});

test('a tenant that waits for many checks does not delay other tenants', async () => {
  const { reads, waitFor, settleIn, notify, stopping } = openQueue();
  const waiting = [
    ...Array.from({ length: 100 }, (_, at) => waitFor('a', `c${at}`)),
    waitFor('b', 'c'),
    waitFor('d', 'c'),
  ];
  await settleIn();
  notify();
  await expect.poll(() => reads.length).toBe(102);
  expect(reads.slice(0, 4).sort()).toEqual(['a/c0', 'a/c1', 'b/c', 'd/c']);
  stopping.abort();
  await Promise.all(waiting);
});

test('a commit between the first read and the wait is not missed', async () => {
  const { done, waitFor, notify } = openQueue();
  const waiting = waitFor('a', 'c');
  done.add('c');
  notify();
  expect((await waiting)?.state).toBe('SUCCESS');
});

test('a failure of the storage reaches waiting requests, and later ones wait again', async () => {
  const { done, state, waitFor, settleIn, notify } = openQueue();
  const waiting = [waitFor('a', 'c'), waitFor('a', 'c')];
  await settleIn();
  state.fails = true;
  notify();
  for (const outcome of await Promise.allSettled(waiting)) expect(outcome.status).toBe('rejected');
  state.fails = false;
  const again = waitFor('a', 'c');
  await settleIn();
  done.add('c');
  notify();
  expect((await again)?.state).toBe('SUCCESS');
});

test('a request that is aborted, or waits during a stop, gets the current state and causes no further reads', async () => {
  const { reads, waitFor, settleIn, notify, stopping } = openQueue();
  const leaving = new AbortController();
  const left = waitFor('a', 'c', leaving.signal);
  const other = waitFor('a', 'd');
  await settleIn();
  leaving.abort();
  expect((await left)?.state).toBe('PENDING');
  await settleIn();
  notify();
  await expect.poll(() => reads).toEqual(['a/d']);
  stopping.abort();
  expect((await other)?.state).toBe('PENDING');
});

test('a request without a wait is answered at once', async () => {
  const { awaitCheck, reads } = openQueue();
  const { signal } = new AbortController();
  expect((await awaitCheck({ tenant: 'a', requestId: 'c', waitMs: 0, signal }))?.state).toBe('PENDING');
  expect(reads).toEqual(['a/c']);
});
