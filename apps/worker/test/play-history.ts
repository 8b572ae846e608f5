import type { RegisterMaintenance, RegisterSource } from '@access-admin/store';
import { expect } from 'vitest';
import { driveLoop } from './drive-loop.ts';
import { createRegisterWorker, Killed, killedAt } from './drive-register.ts';
import { createRegisterWorld, type RegisterWorld } from './register-world.ts';
import { createRandom, newReport, readAll } from './report-world.ts';
import {
  type EventRow,
  expectCounts,
  expectEvents,
  expectExpiries,
  expectRegister,
  type RegisterPlace,
  type RegisterRow,
  readEvents,
} from './verify-register.ts';

type RegisterChanges = Awaited<ReturnType<RegisterSource['changesSince']>>;

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const STEPS = 18;

/** A wrong register, or wrong events; a control uses it to show that histories find it. */
export interface Mutant {
  readonly keep?: (register: RegisterMaintenance) => RegisterMaintenance;
  readonly tell?: (events: readonly EventRow[]) => readonly EventRow[];
}

/** What happened in a history. */
export interface HistoryCounts {
  readonly steps: number;
  readonly deaths: number;
  readonly violations: number;
  readonly ended: number;
  readonly events: number;
  /** The identities that were compared because they hold access that has changed. */
  readonly holders: number;
}

/**
 * Changes a small tenant at random while workers keep its register, some of which die in the middle of a round. After each
 * step the register, its events replayed from the first, a scan of its instant and brute force must be the same.
 */
export async function playHistory(
  { store, reader }: Omit<RegisterPlace, 'tenant'>,
  seed: number,
  { keep = (register) => register, tell = (events) => events }: Mutant = {},
): Promise<HistoryCounts> {
  const random = createRandom(seed);
  const place = { store, reader, tenant: `t-${seed}` };
  const world = await createRegisterWorld(store, place.tenant, START_MS);
  let holders = 0;
  const register = keep(
    withChanges(store.register, (changes) => {
      holders += changes.holders?.length ?? 0;
      return changes;
    }),
  );
  // Some workers have room for hardly any exceptions, and some need many transactions.
  const startWorker = (maintenance = register) =>
    createRegisterWorker(store, maintenance, {
      exceptionsMax: random(2) === 0 ? 1_000 : random(3),
      batchMax: random(2) === 0 ? 1_000 : 1 + random(3),
    });
  let worker = startWorker();
  await using scanner = startScanner(place, world);
  const changes: string[] = [];
  await world.populate(random);
  // Exceptions that end before the first round are not told.
  await worker.settle(world.nowMs);
  let before = new Map<string, RegisterRow>();
  let rows: readonly RegisterRow[] = [];
  let events = 0;
  let deaths = 0;
  for (let step = 0; step < STEPS; step++) {
    if (random(3) === 0) {
      world.passTime(random);
      changes.push('time');
    } else for (let count = 1 + random(3); count > 0; count--) changes.push(await world.change(random));
    if (random(3) === 0) {
      deaths += 1;
      const dying = startWorker(killedAt(register, 1 + random(6), random(2) === 0));
      await dying.settle(world.nowMs).catch((error) => expect(error).toBeInstanceOf(Killed));
      world.nowMs += 5_001;
    }
    if (random(8) === 0) worker = startWorker();
    await worker.settle(world.nowMs);
    rows = await expectRegister(place, world, () => worker.settle(world.nowMs));
    await expectCounts(place, world, rows);
    const told = tell(await readEvents(place));
    expectEvents(told, rows);
    await expectExpiries(place, world, told);
    for (const row of rows) {
      if (row.closed === null || before.get(row.id)?.closed !== null) continue;
      expect(row.status, `${changes.join(', ')}: ${row.identity_id} ${row.policy_id}`).toBe(
        world.isClosed(row.identity_id, row.policy_id) ? 'Closed' : 'Remediated',
      );
    }
    await scanner.expectScan(step, rows);
    before = new Map(rows.map((row) => [row.id, row]));
    events = told.length;
    world.mark();
  }
  const ended = rows.filter(({ closed }) => closed !== null).length;
  return { steps: STEPS, deaths, violations: rows.length, ended, events, holders };
}

/** A register whose rounds see other changes. */
export const withChanges = (
  register: RegisterMaintenance,
  see: (changes: RegisterChanges) => RegisterChanges,
): RegisterMaintenance => ({
  ...register,
  openSource: async (tenant) => {
    const source = await register.openSource(tenant);
    return { ...source, changesSince: async (...since) => see(await source.changesSince(...since)) };
  },
});

/** A worker that makes the scans to compare with. */
function startScanner({ store, tenant }: RegisterPlace, world: RegisterWorld) {
  const clock = { nowMs: world.nowMs };
  const loop = driveLoop(store, clock);
  return {
    /** A scan of the instant of the register has the violations that the register has as present. */
    expectScan: async (step: number, rows: readonly RegisterRow[]) => {
      await loop.idle();
      clock.nowMs = world.nowMs;
      const id = `scan-${step}`;
      await store.reports.enqueue(newReport(id, { tenant, at: new Date(world.nowMs).toISOString() }), STEPS);
      for (let isDone = false; !isDone; isDone = (await store.reports.find(tenant, id))?.state === 'SUCCESS') {
        loop.wake();
        await loop.idle();
      }
      const { lines } = await readAll(store, id, tenant);
      const scanned = lines.map(({ policy, line }) => [line.identityId, policy.policyId, line.exception?.id ?? null]);
      const present = rows.filter(({ closed }) => closed === null);
      const kept = present.map(({ identity_id, policy_id, exception_id }) => [identity_id, policy_id, exception_id]);
      expect(kept.toSorted()).toEqual(scanned.toSorted());
    },
    [Symbol.asyncDispose]: async () => {
      loop.stop();
      await loop.ended;
    },
  };
}
