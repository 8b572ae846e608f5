import type { ClaimedCheck } from '@access-admin/store';
import { expect, test } from 'vitest';
import { createCheckIntake } from './intake.ts';

const claimOf = (requestId: string, attempts: number): ClaimedCheck => ({
  ...{ tenant: 'a', requestId, created: '2026-03-01T12:00:00.000Z', identityId: 'i', accessRefs: [] },
  ...{ clientMetadata: null, includes: [], fence: 1, attempts },
});

/** An intake of interrupted and new checks, of which the last added is tried until the test says otherwise. */
function open(interrupted: string[], fresh: string[]) {
  const state = { nowMs: 0, isTrying: false, held: 0, limits: [] as number[] };
  const added: string[] = [];
  const intake = createCheckIntake({
    queue: {
      claim: async ({ attemptsMin, limit }) => {
        if (attemptsMin !== 1) state.limits.push(limit);
        const attempts = attemptsMin === 1 ? 2 : 1;
        const id = (attempts === 2 ? interrupted : fresh).shift();
        return id === undefined ? [] : [claimOf(id, attempts)];
      },
      nextClaimableAtMs: async () => (fresh.length > 0 ? 0 : interrupted.length > 0 ? state.nowMs : null),
      renew: async (claims) => claims,
      giveBack: async () => {},
      failExhausted: async () => 0,
    },
    held: {
      get count() {
        return state.held;
      },
      add: (claims) => {
        added.push(...claims.map(({ requestId }) => requestId));
        if (claims.some(({ attempts }) => attempts > 1)) state.isTrying = true;
      },
      limits: () => ({ tenantLimits: new Map(), otherLimit: 8 }),
      all: () => [],
      drop: () => {},
      isTrying: () => state.isTrying,
    },
    log: { debug: () => {} },
    ...{ leaseMs: 5_000, now: () => state.nowMs, random: () => 0.5 },
  });
  return { intake, added, state };
}

test('the next interrupted check is due as soon as the last one is no longer tried', async () => {
  const { intake, added, state } = open(['i-1', 'i-2'], []);
  expect(intake.isNextTrialDue()).toBe(false);
  for (const last of ['i-1', 'i-2']) {
    await intake.claim();
    expect([added.at(-1), intake.isNextTrialDue()]).toEqual([last, false]);
    state.isTrying = false;
    expect(intake.isNextTrialDue()).toBe(true);
  }
  await intake.claim();
  expect(intake.isNextTrialDue()).toBe(false);
});

test('new checks are claimed from time to time while there are interrupted ones', async () => {
  const { intake, added, state } = open(
    Array.from({ length: 10 }, (_, at) => `i-${at}`),
    ['new'],
  );
  for (let claims = 0; claims < 6; claims++) {
    await intake.claim();
    state.isTrying = false;
    state.nowMs += 10;
  }
  expect(added).toEqual(['i-0', 'i-1', 'i-2', 'i-3', 'new', 'i-4', 'i-5']);
});

test('at most 200 checks are held: with 199 of them one more is claimed, with 200 none', async () => {
  const { intake, added, state } = open([], ['new-1', 'new-2', 'new-3']);
  for (const held of [0, 101, 199, 200]) {
    state.held = held;
    await intake.claim();
  }
  expect([state.limits, added]).toEqual([
    [100, 99, 1],
    ['new-1', 'new-2', 'new-3'],
  ]);
  state.held = 199;
  await intake.claim();
  expect(state.limits).toHaveLength(3);
});

test('interrupted checks are left to others for a while after another worker has taken one, new ones are not', async () => {
  const { intake, added, state } = open(['i-1', 'i-2'], []);
  await intake.claim();
  state.isTrying = false;
  intake.noteLost();
  // Half of a quarter of the lease.
  expect(await intake.claim()).toBe(625);
  state.nowMs += 624;
  expect([await intake.claim(), added]).toEqual([1, ['i-1']]);
  state.nowMs += 1;
  expect([await intake.claim(), added]).toEqual([0, ['i-1', 'i-2']]);
});
