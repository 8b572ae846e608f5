import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gather } from './gather.ts';

/** Carries out requests only on command, and records the groups. */
function createHeld() {
  const groups: (readonly number[])[] = [];
  const endings: PromiseWithResolvers<readonly string[]>[] = [];
  return {
    groups,
    carryOut: (requests: readonly number[]) => {
      groups.push(requests);
      const ending = Promise.withResolvers<readonly string[]>();
      endings.push(ending);
      return ending.promise;
    },
    finish: (place: number) => endings[place]?.resolve(groups[place]?.map((request) => `did ${request}`) ?? []),
    fail: (place: number, error: Error) => endings[place]?.reject(error),
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);

test('requests of one turn form a group, each with its own outcome', async () => {
  const held = createHeld();
  const request = gather(held.carryOut, { requestsMax: 10 });
  const outcomes = Promise.all([1, 2, 3].map(request));
  await settle();
  expect(held.groups).toEqual([[1, 2, 3]]);
  held.finish(0);
  expect(await outcomes).toEqual(['did 1', 'did 2', 'did 3']);
});

test('requests during a group form the next, and no group exceeds the limit', async () => {
  const held = createHeld();
  const request = gather(held.carryOut, { requestsMax: 2 });
  const first = request(1);
  await settle();
  const others = Promise.all([2, 3, 4].map(request));
  await settle();
  expect(held.groups).toEqual([[1]]);
  held.finish(0);
  expect(await first).toBe('did 1');
  await settle();
  expect(held.groups).toEqual([[1], [2, 3]]);
  held.finish(1);
  await settle();
  held.finish(2);
  expect(await others).toEqual(['did 2', 'did 3', 'did 4']);
  expect(held.groups).toEqual([[1], [2, 3], [4]]);
});

test('a group fails as a whole, and the next one still runs', async () => {
  const held = createHeld();
  const request = gather(held.carryOut, { requestsMax: 2 });
  const outcomes = Promise.allSettled([1, 2, 3].map(request));
  await settle();
  const failure = new Error('the disk is full');
  held.fail(0, failure);
  await settle();
  held.finish(1);
  expect(await outcomes).toEqual([
    { status: 'rejected', reason: failure },
    { status: 'rejected', reason: failure },
    { status: 'fulfilled', value: 'did 3' },
  ]);
});

test('two lanes share many requests, and few form one group', async () => {
  const held = createHeld();
  const request = gather(held.carryOut, { requestsMax: 1_000, lanes: 2 });
  const many = Promise.all(range(0, 100).map(request));
  await settle();
  expect(held.groups.map(({ length }) => length)).toEqual([50, 50]);
  expect(held.groups.flat()).toEqual(range(0, 100));
  held.finish(1);
  held.finish(0);
  expect(await many).toEqual(range(0, 100).map((place) => `did ${place}`));
  await settle();
  const few = Promise.all(range(0, 10).map(request));
  await settle();
  expect(held.groups.slice(2)).toEqual([range(0, 10)]);
  held.finish(2);
  expect(await few).toHaveLength(10);
});
