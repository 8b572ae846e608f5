import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openFolder, type RunningProcess, startNode } from '@access-admin/harness';
import { openSqliteStore } from '@access-admin/store';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
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
  title: 'migrations, interrupted and by several at once',
  unit: 'migrations',
  full: 20,
  short: 4,
  engines: ['sqlite'],
  run: (run) => migrateAll(run, async () => {}),
  // Simulates a migration that is marked as done in a separate transaction before a kill.
  control: (run) => migrateAll(run, markAsDone),
};

async function migrateAll(run: CampaignRun, tamper: (path: string) => Promise<void>): Promise<Outcome> {
  using temporary = openFolder('proof');
  const folder = temporary.path;
  const before = join(folder, 'before.db');
  const filled = await openSqliteStore({ path: before });
  await fillStore(filled, TENANTS, CHECKS);
  await filled.close();
  const copyIn = (directory: string) => {
    const path = join(folder, directory, 'access-admin.db');
    rmSync(dirname(path), { recursive: true, force: true });
    mkdirSync(dirname(path));
    copyFileSync(before, path);
    return path;
  };
  const uninterrupted = copyIn('uninterrupted');
  const { start, startDying } = await createStarts(folder, uninterrupted);
  const kills = { kills: 0, 'kills before the end of the migration': 0 };
  const wrong: string[] = [];
  await repeatAttack(run, async (random) => {
    const path = copyIn('migrated');
    await tamper(path);
    for (let left = 1 + random(KILLS_MAX); left > 0; left--) {
      await using opening = await startDying(path, random);
      await opening.ended;
      kills.kills += 1;
      if (!opening.output().includes('open\n')) kills['kills before the end of the migration'] += 1;
    }
    const together = Array.from({ length: TOGETHER }, () => start(path));
    for (const opening of together) {
      const { code, signal } = await opening.ended;
      if (code !== 0) wrong.push(`an opening ended (${signal ?? code}): ${opening.output().slice(0, 400)}`);
    }
    const verifying = verifyMigrated({ path, before, uninterrupted });
    wrong.push(...(await verifying.catch((error: unknown) => [`it cannot be read: ${error}`])));
  });
  return { counts: { migrations: run.count, ...kills, wrong: wrong.length }, broken: summed('failures', wrong) };
}

/**
 * Migrates an example, in a directory of its own, without interruption. Returns how to start a process that opens a file,
 * and one that dies at a random change of its files or, without a C compiler, at a random time.
 */
async function createStarts(folder: string, example: string) {
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
  return { start, startDying };
}

async function markAsDone(path: string): Promise<void> {
  await using sql = await openSqlite(path);
  for (const name of Object.keys(NEXT_MIGRATION))
    await sql.run(`insert into kysely_migration (name, timestamp) values ('${name}', '2026-03-01T12:00:00.000Z')`);
}
