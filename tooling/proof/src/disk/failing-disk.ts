import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { type Campaign, type CampaignRun, type Outcome, skipped, summed } from '../campaign/campaign.ts';
import { createRandom } from '../campaign/random.ts';
import { audit } from '../load/audit.ts';
import { COMPANY, UI_SETTINGS, uiUpdate } from '../load/company.ts';
import { customerRecords, startCustomers } from '../load/customers.ts';
import { openFleet } from '../service/open-fleet.ts';
import { openSql } from '../service/open-sql.ts';
import { buildShim } from './build-shim.ts';
import { createProbes, type ProbedFault, type Probes } from './probe-service.ts';

const CUSTOMERS = 4;
const HEAL_MS_MAX = 2_000;
/** Between two faults, for the customers to get on. */
const PAUSE_MS = { min: 300, spread: 700 };

/** Something that happens to the file. `begin` resolves with what ends it. */
interface Fault extends ProbedFault {
  readonly lastsMs: number;
  begin(): Promise<() => void>;
}

/** F3: a disk that takes nothing stops writes and nothing else, and all is well as soon as it takes them again. */
export const failingDisk: Campaign = {
  id: 'F3',
  title: 'disk full, I/O errors, file locked or away',
  unit: 'faults',
  full: 40,
  short: 8,
  engines: ['sqlite'],
  run: (run) => harmDisk(run, (control, path) => faultsOf(control, path)),
  // A disk that says it has stored what it has not.
  control: (run) => harmDisk(run, (control) => [failing(control, 'a lying disk', 'wts 0')]),
};

function faultsOf(control: string, path: string): readonly Fault[] {
  return [
    failing(control, 'disk full', 'wtc 28'),
    failing(control, 'writes fail', 'wt 5'),
    failing(control, 'syncs fail', 's 5'),
    lockedFile(path),
    failing(control, 'everything fails', 'wtsc 5'),
    movedFile(path),
  ];
}

const failing = (control: string, name: string, calls: string): Fault => ({
  name,
  lastsMs: 1_500,
  stopsWrites: true,
  stopsConnections: false,
  begin: async () => {
    writeFileSync(control, calls);
    return () => rmSync(control);
  },
});

const lockedFile = (path: string): Fault => ({
  name: 'file locked',
  lastsMs: 3_000,
  stopsWrites: true,
  stopsConnections: false,
  begin: async () => {
    const connection = new Sqlite(path, { timeout: 5_000 });
    connection.exec('begin immediate');
    return () => connection.close();
  },
});

/** Who has it open goes on. Nobody may make another one in its place. */
const movedFile = (path: string): Fault => ({
  name: 'file away',
  lastsMs: 1_500,
  stopsWrites: false,
  stopsConnections: true,
  begin: async () => {
    renameSync(path, `${path}.away`);
    return () => renameSync(`${path}.away`, path);
  },
});

async function harmDisk(
  run: CampaignRun,
  faultsFor: (control: string, path: string) => readonly Fault[],
): Promise<Outcome> {
  const { engine, seed, signal } = run;
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-f3-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const shim = buildShim(folder);
  if ('unavailable' in shim) return skipped(shim.unavailable);
  const control = join(folder, 'fault');
  const env = () => ({ ...shim.env, STORAGE_FAULT: control, LOG_LEVEL: 'silent' });
  const fleet = stack.use(await openFleet(engine, { apis: 2, workers: 1, env }));
  const sql = stack.use(await openSql(fleet.database));
  const clients = fleet.apis.map(fleet.connect);
  await clients[0]?.accessModel.import([...COMPANY, ...customerRecords(CUSTOMERS)]);
  // Never set, they would be missing in the export.
  for (const setting of UI_SETTINGS) await clients[0]?.uiMetadata.set(uiUpdate(setting, 0));
  const probes = await createProbes(fleet);
  const own = Array.from({ length: CUSTOMERS }, (_, at) => fleet.apis[at % 2]).flatMap((api) =>
    api === undefined ? [] : [fleet.connect(api)],
  );
  const customers = startCustomers(own, { seed, pauseMs: 20, writes: 30 });
  try {
    await inflict(run, faultsFor(control, fleet.database.path ?? ''), probes);
  } finally {
    await customers.stop();
  }
  const seen = await audit(customers, { clients, sql, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    return { lost: 'unknown', withoutResult: 'unknown', broken: [`the audit came to no end: ${error}`] };
  });
  const integrity = await sql.run('pragma integrity_check').then(
    (rows) => rows.map((row) => String(row['integrity_check'])),
    (error: unknown) => [String(error)],
  );
  return {
    counts: {
      faults: run.count,
      ...probes.counts(),
      'acknowledged checks': customers.ledger.acknowledged.size,
      lost: seen.lost,
      'without result': seen.withoutResult,
    },
    broken: [
      ...probes.broken(),
      ...seen.broken,
      ...summed(
        'faults of the file',
        integrity.filter((text) => text !== 'ok'),
      ),
      ...summed('processes fallen', fleet.crashed),
    ],
  };
}

async function inflict({ seed, count, log, signal }: CampaignRun, faults: readonly Fault[], probes: Probes) {
  const random = createRandom(seed);
  for (let number = 0; number < count; number++) {
    signal.throwIfAborted();
    const fault = faults[number % faults.length];
    if (fault === undefined) return;
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
