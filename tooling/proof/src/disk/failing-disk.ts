import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@access-admin/harness';
import Sqlite from 'better-sqlite3';
import { type Campaign, type CampaignRun, type Outcome, skipped } from '../campaign/campaign.ts';
import { drawOne } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { attackUnderLoad } from '../load/attack-under-load.ts';
import { UI_SETTINGS, uiUpdate } from '../load/company.ts';
import { openFleet } from '../service/open-fleet.ts';
import { buildShim } from './build-shim.ts';
import { type ProbedFault, Probes } from './probe-service.ts';

const CUSTOMERS = 4;
const HEAL_MS_MAX = 2_000;
/** Time for the customers to work between two faults. */
const PAUSE_MS = { min: 300, spread: 700 };

/** The file that controls the shim, and the database. */
interface Files {
  readonly control: string;
  readonly path: string;
}

/** A fault of the file. `begin` returns the function that ends it. */
interface Fault extends ProbedFault {
  readonly lastsMs: number;
  begin(files: Files): () => void;
}

/** F3: while the disk accepts no writes, only writes fail; the service recovers with the disk. */
export const failingDisk: Campaign = {
  id: 'F3',
  title: 'disk full, I/O errors, file locked or away',
  unit: 'faults',
  full: 40,
  // Each fault once.
  short: 6,
  measuresTime: true,
  engines: ['sqlite'],
  run: (run) => harmDisk(run, FAULTS),
  // The disk reports success for writes that it does not store.
  control: (run) => harmDisk(run, [failing('a lying disk', 'wts 0')]),
};

const WRITES_STOP = { stopsWrites: true, stopsConnections: false };

const failing = (name: string, calls: string): Fault => ({
  ...WRITES_STOP,
  name,
  lastsMs: 1_500,
  begin: ({ control }) => {
    writeFileSync(control, calls);
    return () => rmSync(control);
  },
});

const FAULTS: readonly Fault[] = [
  failing('disk full', 'wtc 28'),
  failing('writes fail', 'wt 5'),
  failing('syncs fail', 's 5'),
  {
    ...WRITES_STOP,
    name: 'file locked',
    lastsMs: 3_000,
    begin: ({ path }) => {
      const connection = new Sqlite(path, { timeout: 5_000 });
      connection.exec('begin immediate');
      return () => connection.close();
    },
  },
  failing('everything fails', 'wtsc 5'),
  {
    // Open connections still work. No process may create a new file at the old path.
    name: 'file away',
    lastsMs: 1_500,
    stopsWrites: false,
    stopsConnections: true,
    begin: ({ path }) => {
      renameSync(path, `${path}.away`);
      return () => renameSync(`${path}.away`, path);
    },
  },
];

async function harmDisk(run: CampaignRun, faults: readonly Fault[]): Promise<Outcome> {
  using folder = openFolder('proof');
  const shim = buildShim(folder.path);
  if ('unavailable' in shim) return skipped(shim.unavailable);
  const control = join(folder.path, 'fault');
  const env = () => ({ ...shim.env, STORAGE_FAULT: control, LOG_LEVEL: 'silent' });
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 1, env });
  // Settings that were never changed are missing in the export.
  for (const setting of UI_SETTINGS) await fleet.root.uiMetadata.set(uiUpdate(setting, 0));
  const probes = new Probes(fleet, (await fleet.register()).token);
  const path = fleet.database.path ?? '';
  const { counts, broken } = await attackUnderLoad(run, fleet, {
    customers: CUSTOMERS,
    pauseMs: 20,
    writes: 30,
    mayDestroy: true,
    attack: () =>
      repeatAttack({ ...run, pauseMs: PAUSE_MS }, async (_, number) => {
        const fault = drawOne(() => number % faults.length, faults);
        const end = fault.begin({ control, path });
        await probes.during(fault, performance.now() + fault.lastsMs).finally(end);
        return `${fault.name}, healed after ${await probes.heal(fault, HEAL_MS_MAX)} ms`;
      }),
  });
  return { counts: { faults: run.count, ...probes.counts, ...counts }, broken: [...probes.broken, ...broken] };
}
