import { afterEach, beforeEach, expect, test } from 'vitest';
import { driveLoop, START_MS } from './drive-loop.ts';
import { enqueueAll, type NewStore, newCheck, openSampleStore } from './sample-store.ts';

let sample: NewStore;

beforeEach(async () => {
  sample = await openSampleStore();
});

afterEach(() => sample[Symbol.asyncDispose]());

test('an idle worker removes events that are older than their days, and no others', async () => {
  const { events } = sample.store;
  const { last } = await events.head('acme');
  expect(last).toBeGreaterThan(0);
  const clock = { nowMs: START_MS };
  const loop = driveLoop(sample.store, clock, { eventRetentionDays: 2 });
  await loop.idle();
  expect(await events.head('acme')).toEqual({ oldest: 1, last });
  clock.nowMs += 2 * 86_400_000 + 1;
  loop.resume();
  await loop.idle();
  expect(await events.head('acme')).toEqual({ oldest: last + 1, last });
  loop.stop();
  await loop.ended;
});

test('an idle worker removes checks that are older than their days, and no others', async () => {
  const { checks } = sample.store;
  await enqueueAll(sample.store, [newCheck('c-1')]);
  const clock = { nowMs: START_MS };
  const loop = driveLoop(sample.store, clock, { checkRetentionDays: 2 });
  await loop.idle();
  expect(await checks.find('acme', 'c-1')).toMatchObject({ state: 'SUCCESS' });
  // A clock that has just jumped may be wrong.
  clock.nowMs += 2 * 86_400_000 + 1;
  loop.resume();
  await loop.idle();
  expect(await checks.find('acme', 'c-1')).not.toBeNull();
  clock.nowMs += 3_600_000;
  loop.resume();
  await loop.idle();
  expect(await checks.find('acme', 'c-1')).toBeNull();
  loop.stop();
  await loop.ended;
});
