import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openFolder, type RunningProcess, startNode } from '@access-admin/harness';
import { openSqliteStore } from '@access-admin/store';
import { type Campaign, type CampaignRun, summed } from '../campaign/campaign.ts';
import { drawOne, type Random } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { buildShim } from '../disk/build-shim.ts';
import { fillStore, identity, importRecords } from '../disk/fill-store.ts';
import { readWriteLog } from '../disk/write-log.ts';
import { openSqlite } from '../service/open-database.ts';
import { createBaselineDatabase, readMigrations } from './baseline-database.ts';
import { verifyMigrated } from './verify-migrated.ts';
import { verifyRegister } from './verify-register.ts';

const OPENER = fileURLToPath(new URL('open-store.ts', import.meta.url));
const TENANTS = ['acme', 'globex'];
const CHECKS = 3_000;
/** The tenant in which a policy is violated. */
const VIOLATED = 'acme';
const VIOLATING = {
  ...identity('i-both', 'Both'),
  access: ['e-left', 'e-right'].map((id) => ({ type: 'ENTITLEMENT' as const, id })),
};
const TOGETHER = 3;
const KILLS_MAX = 3;
const STARTED_MS_MAX = 10_000;
const OPENING_MS_MAX = 60;

/** U1: a database of an earlier version keeps all its data when its migration is interrupted. */
export const interruptedMigrations: Campaign = {
  id: 'U1',
  title: 'migrations from the first release and to the next, interrupted and by several at once',
  unit: 'migrations',
  full: 20,
  short: 4,
  engines: ['sqlite'],
  run: (run) => migrateAll(run, async () => {}),
  // Simulates a migration that is marked as done in a separate transaction before a kill.
  control: (run) => migrateAll(run, markAsDone),
};

/** A migrated file, one that was not migrated yet, and how to start what migrates it. */
interface Upgrade extends Starts {
  readonly version: 'present' | 'next';
  readonly before: string;
  readonly uninterrupted: string;
}

async function migrateAll(run: CampaignRun, tamper: (path: string, upgrade: Upgrade) => Promise<void>) {
  using temporary = openFolder('proof');
  const upgrades = await prepareUpgrades(temporary.path);
  const kills = { kills: 0, 'kills before the end of the migration': 0 };
  const wrong: string[] = [];
  let registers = 0;
  await repeatAttack(run, async (random, number) => {
    const upgrade = drawOne(() => number % upgrades.length, upgrades);
    const path = copyInto(temporary.path, 'migrated', upgrade.before);
    await tamper(path, upgrade);
    for (let left = 1 + random(KILLS_MAX); left > 0; left--) {
      await using opening = await upgrade.startDying(path, random);
      await opening.ended;
      kills.kills += 1;
      if (!opening.output().includes('open\n')) kills['kills before the end of the migration'] += 1;
    }
    const together = Array.from({ length: TOGETHER }, () => upgrade.start(path));
    for (const opening of together) {
      const { code, signal } = await opening.ended;
      if (code !== 0) wrong.push(`an opening ended (${signal ?? code}): ${opening.output().slice(0, 400)}`);
    }
    const verifying = verifyMigrated({ ...upgrade, path });
    wrong.push(...(await verifying.catch((error: unknown) => [`it cannot be read: ${error}`])));
    if (upgrade.version === 'next' || wrong.length > 0) return;
    registers += 1;
    wrong.push(...(await verifyRegister(path, VIOLATED, run.signal)));
  });
  const counts = { migrations: run.count, ...kills, 'registers filled': registers, wrong: wrong.length };
  return { counts, broken: summed('failures', wrong) };
}

/** From the first release to the present, and from the present to the next version. */
async function prepareUpgrades(folder: string): Promise<readonly Upgrade[]> {
  const present = join(folder, 'present.db');
  const filled = await openSqliteStore({ path: present });
  await fillStore(filled, TENANTS, CHECKS);
  await importRecords(filled, VIOLATED, [VIOLATING]);
  await filled.close();
  const released = join(folder, 'released.db');
  await createBaselineDatabase(released, present);
  const prepare = async (version: Upgrade['version'], before: string): Promise<Upgrade> => {
    const uninterrupted = copyInto(folder, `to-${version}`, before);
    return { version, before, uninterrupted, ...(await createStarts(folder, uninterrupted, version)) };
  };
  return [await prepare('present', released), await prepare('next', present)];
}

/** Copies a file into a folder of its own, as the file of a service. */
function copyInto(folder: string, directory: string, file: string): string {
  const path = join(folder, directory, 'access-admin.db');
  rmSync(dirname(path), { recursive: true, force: true });
  mkdirSync(dirname(path));
  copyFileSync(file, path);
  return path;
}

interface Starts {
  start(path: string): RunningProcess;
  startDying(path: string, random: Random): Promise<RunningProcess>;
}

/**
 * Migrates an example, in a directory of its own, without interruption. Returns how to start a process that opens a file,
 * and one that dies at a random change of its files or, without a C compiler, at a random time.
 */
async function createStarts(folder: string, example: string, version: string): Promise<Starts> {
  const shim = buildShim(folder);
  const start = (path: string, faults: Readonly<Record<string, string>> | null = null): RunningProcess => {
    const shimEnv = 'unavailable' in shim || faults === null ? {} : { ...shim.env, STORAGE_DIRECTORY: dirname(path) };
    return startNode(OPENER, [path, version], { env: { ...shimEnv, ...faults }, cwd: folder });
  };
  const log = join(folder, `example-${version}.log`);
  await using first = start(example, { STORAGE_LOG: log });
  const { code } = await first.ended;
  if (code !== 0) throw new Error(`an opening failed: ${first.output()}`);
  const changes = 'unavailable' in shim ? null : readWriteLog(log).filter(({ kind }) => kind !== 'unlink').length;
  const startDying = async (path: string, random: Random): Promise<RunningProcess> => {
    if (changes !== null) return start(path, { STORAGE_DEATH: String(1 + random(changes)) });
    const opening = start(path);
    await waitUntil(() => opening.output().includes('opening'), { msMax: STARTED_MS_MAX, everyMs: 1 });
    await delay(random(OPENING_MS_MAX));
    await opening.stop('SIGKILL');
    return opening;
  };
  return { start: (path) => start(path), startDying };
}

async function markAsDone(path: string, { uninterrupted }: Upgrade): Promise<void> {
  const done = new Set(await readMigrations(path));
  const [name] = (await readMigrations(uninterrupted)).filter((each) => !done.has(each));
  await using sql = await openSqlite(path);
  await sql.run(`insert into kysely_migration (name, timestamp) values ('${name}', '2026-03-01T12:00:00.000Z')`);
}
