import { type CheckOutcome, LONG_CHECKS_MAX } from '@access-admin/domain';
import type { ClaimedCheck } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { CHECK_WORK_MS_MAX } from '../claims/bounds.ts';
import { createTurns } from '../turns/turns.ts';
import { createHeldChecks } from './held.ts';

const OUTCOME: CheckOutcome = { state: 'SUCCESS', result: '{}' };

const claimOf = (tenant: string, requestId: string, attempts = 1): ClaimedCheck => ({
  ...{ tenant, requestId, created: '2026-03-01T12:00:00.000Z', identityId: 'i', accessRefs: [], clientMetadata: null },
  ...{ includes: [], fence: 1, attempts },
});

/** Held checks whose steps take a millisecond each, as many as `stepsOf` says. */
function open(stepsOf: (requestId: string) => number) {
  const clock = { ms: 0 };
  const begun: string[] = [];
  const ended: string[] = [];
  const outcomes: string[] = [];
  let [underway, most] = [0, 0];
  const turns = createTurns({
    busyMs: () => clock.ms,
    nextTick: () => new Promise((resolve) => setImmediate(resolve)),
    onProgress: () => {},
  });
  const held = createHeldChecks({
    turns,
    busyMs: () => clock.ms,
    runCheck: async function* ({ requestId }) {
      begun.push(requestId);
      underway += 1;
      most = Math.max(most, underway);
      try {
        for (let step = 1; step < stepsOf(requestId); step++) {
          clock.ms += 1;
          yield;
        }
        clock.ms += 1;
        return OUTCOME;
      } finally {
        underway -= 1;
        ended.push(requestId);
      }
    },
    onOutcome: ({ claim }) => void outcomes.push(claim.requestId),
    onFailure: ({ claim }) => void outcomes.push(`${claim.requestId} failed`),
    onTooLong: ({ claim }) => void outcomes.push(`${claim.requestId} too long`),
  });
  const runAll = async () => {
    while (await turns.runSlice());
  };
  return { held, turns, begun, ended, outcomes, runAll, clock, most: () => most };
}

describe('checks that are held', () => {
  test('a long check of one tenant does not hold up short ones of another', async () => {
    const { held, outcomes, runAll } = open((id) => (id === 'long' ? 1_000 : 1));
    held.add([claimOf('a', 'long'), claimOf('a', 'after')], 0);
    held.add([claimOf('b', 'b-1'), claimOf('b', 'b-2')], 0);
    await runAll();
    expect(outcomes).toEqual(['b-1', 'b-2', 'long', 'after']);
    expect(held.count).toBe(0);
  });

  test('one that exceeds its time ends at once with a failure of its own, and its steps are ended', async () => {
    const { held, outcomes, ended, runAll, clock } = open((id) => (id === 'endless' ? Number.POSITIVE_INFINITY : 1));
    held.add([claimOf('a', 'endless'), claimOf('a', 'after')], 0);
    await runAll();
    expect([outcomes, ended]).toEqual([
      ['endless too long', 'after'],
      ['endless', 'after'],
    ]);
    expect(clock.ms).toBeLessThanOrEqual(CHECK_WORK_MS_MAX + 10);
  });

  test('few long checks are under way at a time; others begin again when there is room, and short ones need none', async () => {
    const { held, outcomes, begun, runAll, most } = open((id) => (id === 'short' ? 5 : 100));
    const tenants = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const tenant of tenants) held.add([claimOf(tenant, tenant)], 0);
    held.add([claimOf('other', 'short')], 0);
    await runAll();
    expect(outcomes[0]).toBe('short');
    expect(outcomes.toSorted()).toEqual([...tenants, 'short']);
    // All but the first have begun twice.
    expect(begun).toHaveLength(2 * tenants.length - LONG_CHECKS_MAX + 1);
    expect(most()).toBeLessThanOrEqual(tenants.length + 1);
  });

  test('however long the checks of three tenants take, those of others have room soon', async () => {
    const { held, turns, outcomes, clock, runAll, most } = open((id) => (id.startsWith('longest') ? 20_000 : 100));
    for (const tenant of ['a', 'b', 'c', 'd']) held.add([claimOf(tenant, `longest-${tenant}`)], 0);
    while (clock.ms < 2_000) await turns.runSlice();
    const sinceMs = clock.ms;
    for (const tenant of ['e', 'f', 'g']) held.add([claimOf(tenant, tenant)], 0);
    while (outcomes.length < 3) await turns.runSlice();
    expect(outcomes.toSorted()).toEqual(['e', 'f', 'g']);
    expect(clock.ms - sinceMs).toBeLessThan(3_000);
    await runAll();
    expect(outcomes.slice(3).toSorted()).toEqual(['longest-a', 'longest-b', 'longest-c', 'longest-d']);
    expect(most()).toBeLessThanOrEqual(LONG_CHECKS_MAX + 3);
  });

  test('one that was claimed before comes first, and is tried until it has worked for some time', async () => {
    const { held, turns, begun } = open(() => 40);
    held.add([claimOf('a', 'new'), claimOf('a', 'again', 2)], 0);
    expect(held.isTrying()).toBe(true);
    await turns.runSlice();
    expect([begun, held.isTrying()]).toEqual([['again'], true]);
    await turns.runSlice();
    expect(held.isTrying()).toBe(false);
  });

  test('one that was claimed before interrupts the long check of its tenant, which goes on afterwards', async () => {
    const { held, turns, begun, outcomes, runAll } = open((id) => (id === 'again' ? 5 : 200));
    held.add([claimOf('a', 'long')], 0);
    for (let slice = 0; slice < 5; slice++) await turns.runSlice();
    held.add([claimOf('a', 'again', 2)], 0);
    await turns.runSlice();
    await turns.runSlice();
    expect([outcomes, held.isTrying()]).toEqual([['again'], false]);
    expect(held.all().map(({ claim }) => claim.requestId)).toEqual(['long']);
    await runAll();
    expect([outcomes, begun]).toEqual([
      ['again', 'long'],
      ['long', 'again'],
    ]);
  });

  test('one that interrupts another and is long itself is put back: a tenant has one long check under way', async () => {
    const { held, turns, begun, outcomes, runAll, most } = open(() => 100);
    held.add([claimOf('a', 'long')], 0);
    for (let slice = 0; slice < 5; slice++) await turns.runSlice();
    held.add([claimOf('a', 'again', 2), claimOf('a', 'after')], 0);
    for (let slice = 0; slice < 3; slice++) await turns.runSlice();
    expect(held.isTrying()).toBe(false);
    await runAll();
    expect(outcomes).toEqual(['long', 'again', 'after']);
    expect([begun, most()]).toEqual([['long', 'again', 'again', 'after'], 2]);
  });

  test('one that is interrupted begins again when the check that interrupts it is dropped', async () => {
    const { held, turns, outcomes, runAll } = open(() => 50);
    held.add([claimOf('a', 'long')], 0);
    for (let slice = 0; slice < 3; slice++) await turns.runSlice();
    held.add([claimOf('a', 'again', 2)], 0);
    await turns.runSlice();
    for (const check of held.all()) if (check.claim.requestId === 'again') held.drop(check);
    expect([held.count, held.isTrying()]).toEqual([1, false]);
    await runAll();
    expect([outcomes, held.count]).toEqual([['long'], 0]);
  });

  test('one that is dropped while its step waits does not hold up the others of its tenant', async () => {
    const { held, outcomes, runAll } = open(() => 1);
    const never = createHeldChecks({
      ...{ onOutcome: () => {}, onFailure: () => {}, onTooLong: () => {} },
      ...{ busyMs: () => 0, turns: { add: () => {}, remove: () => {} } },
      runCheck: async function* () {
        yield await new Promise<never>(() => {});
        return OUTCOME;
      },
    });
    never.add([claimOf('a', 'hangs')], 0);
    expect(never.all().map(({ claim }) => claim.requestId)).toEqual(['hangs']);
    for (const check of never.all()) never.drop(check);
    expect(never.count).toBe(0);
    held.add([claimOf('a', 'one'), claimOf('a', 'two')], 0);
    for (const check of held.all().slice(0, 1)) held.drop(check);
    await runAll();
    expect(outcomes).toEqual(['two']);
  });

  test('tenants with heavy checks may have few claimed, and others as many as fit', async () => {
    const { held, runAll } = open((id) => (id.startsWith('heavy') ? 50 : 1));
    held.add([claimOf('heavy', 'heavy-1'), claimOf('heavy', 'heavy-2'), claimOf('light', 'l-1')], 0);
    await runAll();
    const { tenantLimits: limits, otherLimit } = held.limits(200);
    expect(limits.get('heavy')).toBeLessThan(8);
    expect([limits.get('light'), limits.has('new'), otherLimit]).toEqual([100, false, 50]);
    const places = limits.get('heavy') ?? 0;
    held.add(
      Array.from({ length: places }, (_, at) => claimOf('heavy', `heavy-${at}`)),
      0,
    );
    expect(held.limits(200).tenantLimits.get('heavy')).toBe(0);
  });

  test('no tenant may claim more than half of what is free', async () => {
    const { held, runAll } = open(() => 1);
    held.add([claimOf('light', 'l-1')], 0);
    await runAll();
    const limitsOf = (free: number) => {
      const { tenantLimits, otherLimit } = held.limits(free);
      return [tenantLimits.get('light'), otherLimit];
    };
    expect([200, 50, 3, 1].map(limitsOf)).toEqual([
      [100, 50],
      [25, 25],
      [2, 2],
      [1, 1],
    ]);
  });
});
