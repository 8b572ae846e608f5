import { expect, test } from 'vitest';
import { createBacklogRoom } from './backlog-room.ts';

/** A backlog that other processes add to, with a record of the counts. */
function createWorld(pending: Record<string, number>) {
  const counted: (readonly string[])[] = [];
  const world = { nowMs: 0, pending, counted };
  const admit = createBacklogRoom({
    countPending: async (tenants, countMax) => {
      counted.push(tenants);
      return tenants.map((tenant) => Math.min(world.pending[tenant] ?? 0, countMax));
    },
    now: () => world.nowMs,
  });
  const ask = async (tenant: string, times: number, backlogMax = 100) => {
    const outcomes = await admit(Array.from({ length: times }, () => ({ tenant, backlogMax })));
    const stored = outcomes.filter((outcome) => outcome === 'stored').length;
    world.pending[tenant] = (world.pending[tenant] ?? 0) + stored;
    return stored;
  };
  return { world, admit, ask };
}

test('stores exactly up to the limit, in any grouping', async () => {
  const { world, ask } = createWorld({});
  let stored = 0;
  for (const times of [1, 5, 30, 50, 13, 1, 1, 40]) stored += await ask('a', times);
  expect([stored, world.pending['a']]).toEqual([100, 100]);
  expect(await ask('a', 1)).toBe(0);
});

test('counts once a second far from the limit, and each time close to it', async () => {
  const { world, ask } = createWorld({});
  for (let call = 0; call < 10; call += 1) await ask('a', 1);
  expect(world.counted).toHaveLength(1);
  world.nowMs = 1_001;
  await ask('a', 1);
  expect(world.counted).toHaveLength(2);
  world.pending['a'] = 98;
  world.nowMs = 3_000;
  await ask('a', 1);
  expect(await ask('a', 5)).toBe(1);
  expect(world.counted).toHaveLength(4);
});

test('the next count includes checks of other processes and excludes finished ones', async () => {
  const { world, ask } = createWorld({ a: 10 });
  expect(await ask('a', 1)).toBe(1);
  world.pending['a'] = 100;
  world.nowMs = 1_500;
  expect(await ask('a', 1)).toBe(0);
  world.pending['a'] = 0;
  expect(await ask('a', 3)).toBe(3);
});

test('each tenant has its own room, and only outdated counts are repeated', async () => {
  const { world, admit } = createWorld({ full: 100 });
  const requests = ['a', 'full', 'b', 'full', 'a'].map((tenant) => ({ tenant, backlogMax: 100 }));
  const outcomes = await admit(requests);
  expect(outcomes).toEqual(['stored', 'backlogFull', 'stored', 'backlogFull', 'stored']);
  await admit(requests);
  expect(world.counted).toEqual([['a', 'full', 'b'], ['full']]);
});
