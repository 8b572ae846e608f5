import { setImmediate } from 'node:timers/promises';
import { createScheduler } from '@access-admin/scheduling';
import { expect, test } from 'vitest';
import { createPauses, WorkStopped, WorkTooLong } from './pause.ts';

/** Long work with a clock that the test moves. */
function openPauses() {
  const clock = { busyMs: 0 };
  const busyMs = () => clock.busyMs;
  const { yieldIfDue } = createScheduler({ elapsed: busyMs, dueAfterMs: 5 });
  const deps = { busyMs, yieldIfDue };
  return { clock, pausesOf: (work: Parameters<typeof createPauses>[1]) => createPauses(deps, work) };
}

const { signal } = new AbortController();

test('work pauses once it has gone on for some milliseconds, and its time is counted', async () => {
  const { clock, pausesOf } = openPauses();
  const { pause, workedMs } = pausesOf({ signal });
  await pause();
  clock.busyMs = 3;
  expect(pause()).toBeUndefined();
  clock.busyMs = 5;
  const waiting = pause();
  expect(waiting).toBeInstanceOf(Promise);
  await waiting;
  clock.busyMs = 12;
  await pause();
  expect(workedMs()).toBe(12);
});

test('one goes on in each turn of the event loop, in order', async () => {
  const { clock, pausesOf } = openPauses();
  const order: string[] = [];
  const work = async (name: string) => {
    const { pause } = pausesOf({ signal });
    for (let piece = 0; piece < 3; piece++) {
      clock.busyMs += 5;
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

test('an abort ends it in its next pause, as does more work than it may do', async () => {
  const { clock, pausesOf } = openPauses();
  const ending = new AbortController();
  const { pause } = pausesOf({ signal: ending.signal });
  clock.busyMs = 5;
  const waiting = pause();
  ending.abort('stopped');
  await expect(waiting).rejects.toThrow(WorkStopped);
  expect(pause).toThrow(WorkStopped);
  const bounded = pausesOf({ signal, workMsMax: 5 });
  clock.busyMs = 12;
  await expect(bounded.pause()).rejects.toThrow(WorkTooLong);
});
