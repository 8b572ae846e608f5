import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLongWork, WorkStopped } from './long-work.ts';

/** Long work with a clock that the test moves. */
function openLongWork() {
  const clock = { busyMs: 0 };
  const longWork = createLongWork({ busyMs: () => clock.busyMs, nextTick: () => setImmediate() });
  return { clock, longWork };
}

test('pauses once it has worked for some milliseconds, and tells how long', async () => {
  const { clock, longWork } = openLongWork();
  const worked: number[] = [];
  const pause = longWork.pauses(new AbortController().signal, (ms) => worked.push(ms));
  clock.busyMs = 3;
  expect(pause()).toBeUndefined();
  clock.busyMs = 5;
  const waiting = pause();
  expect(waiting).toBeInstanceOf(Promise);
  await waiting;
  clock.busyMs = 12;
  await pause();
  expect(worked).toEqual([5, 7]);
  expect(longWork.workedMs()).toBe(12);
});

test('one goes on in each turn of the event loop, in order', async () => {
  const { clock, longWork } = openLongWork();
  const order: string[] = [];
  const work = async (name: string) => {
    const pause = longWork.pauses(new AbortController().signal, () => {});
    for (let piece = 0; piece < 3; piece++) {
      clock.busyMs += 4;
      order.push(name);
      await pause();
    }
  };
  const all = Promise.all(['a', 'b', 'c'].map(work)).then(() => true);
  let turns = 0;
  while (!(await Promise.race([all, setImmediate(false)]))) {
    turns += 1;
    expect(order.length).toBeLessThanOrEqual(turns + 3);
  }
  expect(order.join('')).toBe('abcabcabc');
});

test('time in which another has worked counts once', async () => {
  const { clock, longWork } = openLongWork();
  const { signal } = new AbortController();
  const worked = { a: 0, b: 0 };
  const one = longWork.pauses(signal, (ms) => {
    worked.a += ms;
  });
  const other = longWork.pauses(signal, (ms) => {
    worked.b += ms;
  });
  // While the first waits for the database.
  clock.busyMs = 10;
  await other();
  clock.busyMs = 15;
  await one();
  expect(worked).toEqual({ a: 5, b: 10 });
});

test('an abort ends it in its next pause', async () => {
  const { clock, longWork } = openLongWork();
  const end = new AbortController();
  const pause = longWork.pauses(end.signal, () => {});
  clock.busyMs = 5;
  const waiting = pause();
  end.abort(new WorkStopped());
  await expect(waiting).rejects.toThrow(WorkStopped);
  expect(pause).toThrow(WorkStopped);
});
