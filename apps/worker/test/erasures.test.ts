import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DrivenLoop, driveLoop, START_MS } from './drive-loop.ts';
import { importAll, NOW } from './report-world.ts';
import { enqueueAll, type NewStore, newCheck, openSampleStore } from './sample-store.ts';

const SETTLED_MS = 300_000;
const ACT = { tenant: 'acme', actor: { clientId: 'c-1', identityId: null }, operation: 'erase-identity-v1' } as const;

let sample: NewStore;

beforeEach(async () => {
  sample = await openSampleStore();
  await enqueueAll(sample.store, [newCheck('c-1')]);
});

afterEach(() => sample[Symbol.asyncDispose]());

async function begin(): Promise<string> {
  await importAll(sample.store, 'acme', [{ kind: 'identity', id: 'i-1', delete: true }]);
  const begun = await sample.store.erasures.begin({ ...ACT, time: NOW, trackingId: '0' }, 'i-1', async () => true);
  if (!begun.ok) throw new Error(JSON.stringify(begun.failure));
  return begun.value.pseudonym;
}

const jobsOf = ({ logged }: DrivenLoop) =>
  logged
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'erasure')
    .map(({ pseudonym, outcome }) => [pseudonym, outcome]);

/** Whether anything names an id but the request of its erasure. */
async function isNamed(id = 'i-1'): Promise<boolean> {
  const records = (await sample.store.persons.read('acme', id, () => {})) ?? [];
  for await (const { kind } of records) if (kind !== 'erasure') return true;
  return false;
}

test('a worker erases a person at once, and again when what was under way has ended', async () => {
  const clock = { nowMs: START_MS };
  const loop = driveLoop(sample.store, clock);
  await loop.idle();
  const pseudonym = await begin();
  expect(await isNamed()).toBe(true);
  loop.wake();
  await loop.idle();
  expect(await isNamed()).toBe(false);
  expect(await isNamed(pseudonym)).toBe(true);
  expect(jobsOf(loop)).toEqual([[pseudonym, 'success']]);
  await sample.store.audit.recordDenial(
    { ...ACT, operation: 'get-identity-v1', time: NOW, trackingId: '0' },
    { type: 'IDENTITY', id: 'i-1' },
  );
  clock.nowMs += SETTLED_MS;
  loop.resume();
  await loop.idle();
  expect(await isNamed()).toBe(false);
  clock.nowMs += SETTLED_MS;
  loop.resume();
  await loop.idle();
  expect(jobsOf(loop)).toEqual([
    [pseudonym, 'success'],
    [pseudonym, 'success'],
  ]);
  loop.stop();
  await loop.ended;
});

test('an erasure that fails is tried again', async () => {
  const clock = { nowMs: START_MS };
  const { erasures } = sample.store;
  let failures = 1;
  const loop = driveLoop(sample.store, clock, {
    erasures: {
      ...erasures,
      erase: async (claim, options) => {
        if (failures-- > 0) throw new Error('no room');
        return erasures.erase(claim, options);
      },
    },
  });
  await loop.idle();
  const pseudonym = await begin();
  loop.wake();
  await loop.idle();
  expect(jobsOf(loop)).toEqual([[pseudonym, 'retry']]);
  expect(loop.logged.join('')).toContain('a person could not be erased');
  clock.nowMs += 5_000;
  loop.resume();
  await loop.idle();
  expect(jobsOf(loop)).toEqual([
    [pseudonym, 'retry'],
    [pseudonym, 'success'],
  ]);
  expect(await isNamed()).toBe(false);
  loop.stop();
  await loop.ended;
});
