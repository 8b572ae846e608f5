import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openFolder } from '@access-admin/harness';
import Sqlite from 'better-sqlite3';
import { type Campaign, type CampaignRun, type Outcome, skipped } from '../campaign/campaign.ts';
import { createRandom, drawOne } from '../campaign/random.ts';
import { attackUnderLoad } from '../load/attack-under-load.ts';
import { UI_SETTINGS, uiUpdate } from '../load/company.ts';
import { openFleet } from '../service/open-fleet.ts';
import { buildShim } from './build-shim.ts';
import { createProbes, type ProbedFault, type Probes } from './probe-service.ts';

const CUSTOMERS = 4;
const HEAL_MS_MAX = 2_000;
/** Time for the customers to work between two faults. */
const PAUSE_MS = { min: 300, spread: 700 };

/** A fault of the file. `begin` resolves with the function that ends it. */
interface Fault extends ProbedFault {
  readonly lastsMs: number;
  begin(): Promise<() => void>;
}

/** F3: while the disk accepts no writes, only writes fail; the service recovers with the disk. */
export const failingDisk: Campaign = {
  id: 'F3',
  title: 'disk full, I/O errors, file locked or away',
  unit: 'faults',
  full: 40,
  short: 8,
  engines: ['sqlite'],
  run: (run) => harmDisk(run, faultsOf),
  // The disk reports success for writes that it does not store.
  control: (run) => harmDisk(run, (control) => [failing(control, 'a lying disk', 'wts 0')]),
};

const faultsOf = (control: string, path: string): readonly Fault[] => [
  failing(control, 'disk full', 'wtc 28'),
  failing(control, 'writes fail', 'wt 5'),
  failing(control, 'syncs fail', 's 5'),
  lockedFile(path),
  failing(control, 'everything fails', 'wtsc 5'),
  movedFile(path),
];

const WRITES_STOP = { stopsWrites: true, stopsConnections: false };

const failing = (control: string, name: string, calls: string): Fault => ({
  ...{ ...WRITES_STOP, name, lastsMs: 1_500 },
  begin: async () => {
    writeFileSync(control, calls);
    return () => rmSync(control);
  },
});

const lockedFile = (path: string): Fault => ({
  ...{ ...WRITES_STOP, name: 'file locked', lastsMs: 3_000 },
  begin: async () => {
    const connection = new Sqlite(path, { timeout: 5_000 });
    connection.exec('begin immediate');
    return () => connection.close();
  },
});

/** Open connections still work. No process may create a new file at the old path. */
const movedFile = (path: string): Fault => ({
  ...{ name: 'file away', lastsMs: 1_500, stopsWrites: false, stopsConnections: true },
  begin: async () => {
    renameSync(path, `${path}.away`);
    return () => renameSync(`${path}.away`, path);
  },
});

async function harmDisk(
  run: CampaignRun,
  faultsFor: (control: string, path: string) => readonly Fault[],
): Promise<Outcome> {
  using folder = openFolder('proof');
  const shim = buildShim(folder.path);
  if ('unavailable' in shim) return skipped(shim.unavailable);
  const control = join(folder.path, 'fault');
  const env = () => ({ ...shim.env, STORAGE_FAULT: control, LOG_LEVEL: 'silent' });
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 1, env });
  // Settings that were never changed are missing in the export.
  for (const setting of UI_SETTINGS) await fleet.root.uiMetadata.set(uiUpdate(setting, 0));
  const probes = await createProbes(fleet);
  const { counts, broken } = await attackUnderLoad(run, fleet, {
    ...{ customers: CUSTOMERS, pauseMs: 20, writes: 30, mayDestroy: true },
    attack: () => inflict(run, faultsFor(control, fleet.database.path ?? ''), probes),
  });
  return { counts: { faults: run.count, ...probes.counts(), ...counts }, broken: [...probes.broken(), ...broken] };
}

async function inflict({ seed, count, log, signal }: CampaignRun, faults: readonly Fault[], probes: Probes) {
  const random = createRandom(seed);
  for (let number = 0; number < count; number++) {
    signal.throwIfAborted();
    const fault = drawOne(() => number % faults.length, faults);
    await delay(PAUSE_MS.min + random(PAUSE_MS.spread));
    const end = await fault.begin();
    try {
      await probes.during(fault, performance.now() + fault.lastsMs);
    } finally {
      end();
    }
    const healedMs = await probes.heal(fault, HEAL_MS_MAX);
    log(`${number + 1}: ${fault.name}, healed after ${healedMs} ms`);
  }
}
