import { describe, expect, test } from 'vitest';
import { createTurns, type Lane, SLICE_MS } from './turns.ts';

/** Turns with a clock that only the steps of lanes move. */
function open() {
  const clock = { ms: 0 };
  let progress = 0;
  const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));
  const turns = createTurns({
    busyMs: () => clock.ms,
    nextTick,
    onProgress: () => {
      progress += 1;
    },
  });
  const order: string[] = [];
  const lane = (
    tenant: string,
    stepMs: number,
    steps = Number.POSITIVE_INFINITY,
  ): Lane & { readonly work: () => number } => {
    let [left, work] = [steps, 0];
    return {
      tenant,
      step: async () => {
        order.push(tenant);
        clock.ms += stepMs;
        left -= 1;
        return left > 0 ? 'more' : 'idle';
      },
      charge: (ms) => {
        work += ms;
      },
      work: () => work,
    };
  };
  const run = async (slices: number) => {
    for (let slice = 0; slice < slices; slice++) await turns.runSlice();
  };
  return { clock, turns, order, lane, run, nextTick, progress: () => progress };
}

describe('turns', () => {
  test('share measured time: of a tenant with long steps and one with short steps, both get the same', async () => {
    const { turns, lane, run } = open();
    const [long, short] = [lane('long', 48), lane('short', 0.1)];
    turns.add(long);
    turns.add(short);
    await run(200);
    expect(Math.abs(long.work() - short.work())).toBeLessThanOrEqual(48);
  });

  test('run a lane again that was added while its last step ran', async () => {
    const { turns, run } = open();
    let steps = 0;
    const lane: Lane = {
      tenant: 'a',
      step: async () => {
        steps += 1;
        if (steps === 1) turns.add(lane);
        return 'idle';
      },
      charge: () => {},
    };
    turns.add(lane);
    await run(3);
    expect(steps).toBe(2);
  });

  test('count what a tenant does in several lanes together, and its lanes take turns', async () => {
    const { turns, lane, run } = open();
    const [checks, report, other] = [lane('a', 5), lane('a', 5), lane('b', 5)];
    for (const each of [checks, report, other]) turns.add(each);
    await run(400);
    expect(Math.abs(checks.work() + report.work() - other.work())).toBeLessThanOrEqual(SLICE_MS);
    expect(Math.abs(checks.work() - report.work())).toBeLessThanOrEqual(2 * SLICE_MS);
  });

  test('give a new tenant the next turn, after one slice of work that is under way', async () => {
    const { turns, lane, run, order } = open();
    turns.add(lane('long', 1));
    await run(100);
    turns.add(lane('new', 1, 3));
    order.length = 0;
    await run(2);
    expect(order.slice(0, 4)).toEqual(['new', 'new', 'new', 'long']);
  });

  test('go on with other lanes while one waits; what it does then is counted as its work', async () => {
    const { turns, lane, run, clock, nextTick, progress } = open();
    const { promise: read, resolve } = Promise.withResolvers<void>();
    let work = 0;
    const reading: Lane = {
      tenant: 'reading',
      step: async () => {
        await read;
        return 'more';
      },
      charge: (ms) => {
        work += ms;
      },
    };
    const other = lane('other', 1);
    turns.add(reading);
    expect(await turns.runSlice()).toBe(true);
    expect([turns.isWaiting(), await turns.runSlice()]).toEqual([true, false]);
    turns.add(other);
    await run(3);
    expect(other.work()).toBe(3 * SLICE_MS);
    expect(progress()).toBe(0);
    await turns.pause(async () => {
      clock.ms += 100;
      resolve();
      await nextTick();
    });
    expect([work, progress(), turns.isWaiting()]).toEqual([100, 1, false]);
    // It has had more than the other.
    const before = other.work();
    await run(6);
    expect(other.work() - before).toBeGreaterThanOrEqual(6 * SLICE_MS);
  });

  test('run a lane again that was given work while its last step waited', async () => {
    const { turns, nextTick } = open();
    let steps = 0;
    const { promise: read, resolve } = Promise.withResolvers<void>();
    const lane: Lane = {
      tenant: 'a',
      step: async () => {
        steps += 1;
        if (steps === 1) await read;
        return 'idle';
      },
      charge: () => {},
    };
    turns.add(lane);
    await turns.runSlice();
    turns.add(lane);
    resolve();
    await nextTick();
    expect([await turns.runSlice(), steps]).toEqual([true, 2]);
    expect(await turns.runSlice()).toBe(false);
  });

  test('forget a lane that is removed, also one that waits', async () => {
    const { turns, lane, order, nextTick } = open();
    const { promise: read, resolve } = Promise.withResolvers<void>();
    const reading: Lane = {
      tenant: 'reading',
      step: async () => {
        await read;
        return 'more';
      },
      charge: () => {},
    };
    const ready = lane('a', 1);
    turns.add(reading);
    await turns.runSlice();
    turns.add(ready);
    turns.remove(reading);
    turns.remove(ready);
    resolve();
    await nextTick();
    expect([await turns.runSlice(), turns.isWaiting(), order]).toEqual([false, false, []]);
  });

  test('tell whether another tenant has worked lately', async () => {
    const { clock, turns, lane, run } = open();
    turns.add(lane('a', 1, 1));
    await run(1);
    expect([turns.isShared('a'), turns.isShared('b')]).toEqual([false, true]);
    turns.add(lane('b', 1, 1));
    await run(1);
    expect([turns.isShared('a'), turns.isShared('b')]).toEqual([true, true]);
    clock.ms += 1_000;
    expect([turns.isShared('a'), turns.isShared('b')]).toEqual([false, false]);
  });
});
