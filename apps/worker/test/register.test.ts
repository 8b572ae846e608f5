import { openRowReader } from '@access-admin/harness';
import type { RegisterBatch, RegisterMaintenance } from '@access-admin/store';
import { cases, SEED } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import { type HistoryCounts, type Mutant, playHistory, withChanges } from './play-history.ts';
import { openNewStore } from './sample-store.ts';
import type { EventRow } from './verify-register.ts';

const WORLDS = cases({ reduced: 4, full: 24 });
/** At least two of five worlds find a register that forgets when time changes violations, and more find the others. */
const CONTROL_WORLDS = 20;
const HOURS_MS = 3_600_000;

/** Plays a history on a database of its own. */
async function play(seed: number, mutant?: Mutant): Promise<HistoryCounts> {
  await using opened = await openNewStore();
  await using reader = await openRowReader(opened.url);
  return await playHistory({ store: opened.store, reader }, seed, mutant);
}

test(`the register equals its events, a scan and brute force after each step of ${WORLDS} random histories`, {
  timeout: 12 * HOURS_MS,
}, async ({ task, signal }) => {
  const seen = { worlds: 0, steps: 0, deaths: 0, violations: 0, ended: 0, events: 0, holders: 0 };
  for (; seen.worlds < WORLDS; seen.worlds++) {
    signal.throwIfAborted();
    const seed = (SEED + seen.worlds) >>> 0;
    const counts = await play(seed).catch((error: Error) => {
      error.message = `history ${seed}: ${error.message}`;
      throw error;
    });
    for (const name of ['steps', 'deaths', 'violations', 'ended', 'events', 'holders'] as const)
      seen[name] += counts[name];
  }
  Object.assign(task.meta, { counts: seen });
  expect(seen.ended).toBeGreaterThan(WORLDS);
  expect(seen.deaths).toBeGreaterThan(WORLDS);
  expect(seen.holders).toBeGreaterThan(WORLDS);
});

const without = (events: readonly EventRow[], place: number): readonly EventRow[] =>
  events.toSpliced(place, 1).map((event, at) => ({ ...event, sequence: at + 1 }));
const withTwice = (events: readonly EventRow[], place: number): readonly EventRow[] =>
  events
    .flatMap((event, at) => (at === place ? [event, event] : [event]))
    .map((event, at) => ({ ...event, sequence: at + 1 }));
const lastOf = (events: readonly EventRow[], type: string) => events.findLastIndex((event) => event.type === type);
const changed = (events: readonly EventRow[], type: string, how: typeof without): readonly EventRow[] => {
  const place = lastOf(events, type);
  return place === -1 ? events : how(events, place);
};

/** A register in which a worker stores other batches than it has found. */
const withBatches = (
  register: RegisterMaintenance,
  see: (batch: RegisterBatch) => RegisterBatch,
): RegisterMaintenance => ({
  ...register,
  apply: (claim, batch) => register.apply(claim, see(batch)),
});

const MUTANTS: Readonly<Record<string, Mutant>> = {
  'overlooks the end of violations': {
    keep: (register) => withBatches(register, (batch) => ({ ...batch, ended: [] })),
  },
  'overlooks changes of violations': {
    keep: (register) => withBatches(register, (batch) => ({ ...batch, changed: [] })),
  },
  'overlooks the holders of changed access': {
    keep: (register) => withChanges(register, (changes) => ({ ...changes, holders: [] })),
  },
  'forgets when time changes violations': {
    keep: (register) => withBatches(register, (batch) => ({ ...batch, due: [] })),
  },
  'takes every end for a remediation': {
    keep: (register) =>
      withBatches(register, ({ ended, ...batch }) => ({
        ...batch,
        ended: ended.map((each) => ({ ...each, status: 'Remediated' })),
      })),
  },
  'has lost the event of a begin': { tell: (events) => changed(events, 'sod.violation.opened', without) },
  'tells a begin twice': { tell: (events) => changed(events, 'sod.violation.opened', withTwice) },
  'has lost the event of an end': { tell: (events) => changed(events, 'sod.violation.remediated', without) },
  'tells an end twice': { tell: (events) => changed(events, 'sod.violation.closed', withTwice) },
  'leaves a gap between events': {
    tell: (events) =>
      events.toSpliced(-1, 1, ...events.slice(-1).map((event) => ({ ...event, sequence: events.length + 1 }))),
  },
};

test.each(Object.entries(MUTANTS))('control: a register is found out that %s', async (_, mutant) => {
  const findIn = async (seed: number): Promise<boolean> =>
    play(seed, mutant).then(
      () => false,
      () => true,
    );
  let isFound = false;
  for (let world = 0; world < CONTROL_WORLDS && !isFound; world++) isFound = await findIn((SEED + world) >>> 0);
  expect(isFound).toBe(true);
});
