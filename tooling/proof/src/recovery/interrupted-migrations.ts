import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openFolder, type RunningProcess, startNode } from '@access-admin/harness';
import { openSqliteStore } from '@access-admin/store';
import { type Campaign, type CampaignRun, summed } from '../campaign/campaign.ts';
import type { Random } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { buildShim } from '../disk/build-shim.ts';
import { fillStore } from '../disk/fill-store.ts';
import { readWriteLog } from '../disk/write-log.ts';
import { openSqlite } from '../service/open-database.ts';
import { NEXT_MIGRATION } from './next-migration.ts';
import { verifyMigrated } from './verify-migrated.ts';

const OPENER = fileURLToPath(new URL('open-store.ts', import.meta.url));
const TENANTS = ['acme', 'globex'];
const CHECKS = 3_000;
const TOGETHER = 3;
const KILLS_MAX = 3;
const STARTED_MS_MAX = 10_000;
const OPENING_MS_MAX = 60;

/** U1: a database of an earlier version keeps all its data when its migration is interrupted. */
export const interruptedMigrations: Campaign = {
  id: 'U1',
  title: 'migrations to the next version, interrupted and by several at once',
  unit: 'migrations',
  full: 20,
  short: 2,
  engines: ['sqlite'],
  run: (run) => migrateAll(run, async () => {}),
  // Simulates a migration that is marked as done in a separate transaction before a kill.
  control: (run) => migrateAll(run, markAsDone),
};

/** A migrated file, one that was not migrated yet, and how to start what migrates it. */
interface Upgrade extends Starts {
  readonly before: string;
  readonly uninterrupted: string;
}

async function migrateAll(run: CampaignRun, tamper: (path: string) => Promise<void>) {
  using temporary = openFolder('proof');
  const upgrade = await prepareUpgrade(temporary.path);
  const kills = { kills: 0, 'kills before the end of the migration': 0 };
  const wrong: string[] = [];
  await repeatAttack(run, async (random) => {
    const path = copyInto(temporary.path, 'migrated', upgrade.before);
    await tamper(path);
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
  });
  const counts = { migrations: run.count, ...kills, wrong: wrong.length };
  return { counts, broken: summed('failures', wrong) };
}

/** A filled database of this version, and one that the next version has migrated. */
async function prepareUpgrade(folder: string): Promise<Upgrade> {
  const before = join(folder, 'present.db');
  const filled = await openSqliteStore({ path: before });
  await fillStore(filled, TENANTS, CHECKS);
  await filled.close();
  const uninterrupted = copyInto(folder, 'uninterrupted', before);
  return { before, uninterrupted, ...(await createStarts(folder, uninterrupted)) };
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
async function createStarts(folder: string, example: string): Promise<Starts> {
  const shim = buildShim(folder);
  const start = (path: string, faults: Readonly<Record<string, string>> | null = null): RunningProcess => {
    const shimEnv = 'unavailable' in shim || faults === null ? {} : { ...shim.env, STORAGE_DIRECTORY: dirname(path) };
    return startNode(OPENER, [path], { env: { ...shimEnv, ...faults }, cwd: folder });
  };
  const log = join(folder, 'example.log');
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

async function markAsDone(path: string): Promise<void> {
  await using sql = await openSqlite(path);
  for (const name of Object.keys(NEXT_MIGRATION))
    await sql.run(`insert into kysely_migration (name, timestamp) values ('${name}', '2026-03-01T12:00:00.000Z')`);
}
