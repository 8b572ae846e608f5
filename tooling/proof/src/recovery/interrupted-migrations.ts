import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@access-admin/harness';
import { openSqliteStore } from '@access-admin/store';
import Sqlite from 'better-sqlite3';
import type { Campaign, CampaignRun, Outcome } from '../campaign/campaign.ts';
import { createRandom } from '../campaign/random.ts';
import { fillStore } from '../disk/fill-store.ts';
import { createOpenings } from './interrupt-opening.ts';
import { NEXT_MIGRATION } from './next-migration.ts';
import { verifyMigrated } from './verify-migrated.ts';

const TENANTS = ['acme', 'globex'];
const CHECKS = 3_000;
const TOGETHER = 3;
const KILLS_MAX = 3;
const REASONS_MAX = 5;

/** U1: a database of an earlier version keeps all its data when its migration is interrupted. */
export const interruptedMigrations: Campaign = {
  id: 'U1',
  title: 'migrations, interrupted and by several at once',
  unit: 'migrations',
  full: 20,
  short: 4,
  engines: ['sqlite'],
  run: (run) => migrateAll(run, () => {}),
  // Simulates a migration that is marked as done in a separate transaction before a kill.
  control: (run) => migrateAll(run, markAsDone),
};

async function migrateAll(run: CampaignRun, tamper: (path: string) => void): Promise<Outcome> {
  const { seed, count, log, signal } = run;
  using temporary = openFolder('proof');
  const folder = temporary.path;
  const [before, today] = [join(folder, 'before.db'), join(folder, 'today.db')];
  await makeDatabases(before, today);
  const openings = await createOpenings(folder, before);
  const random = createRandom(seed);
  const kills = { kills: 0, 'kills before the end of the migration': 0 };
  const broken: string[] = [];
  for (let number = 0; number < count; number++) {
    signal.throwIfAborted();
    const directory = join(folder, 'migrated');
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
    const path = join(directory, 'access-admin.db');
    copyFileSync(before, path);
    tamper(path);
    for (let kill = 1 + random(KILLS_MAX); kill > 0; kill--) {
      kills.kills += 1;
      if (!(await openings.kill(path, random))) kills['kills before the end of the migration'] += 1;
    }
    const failed = await openings.together(path, TOGETHER);
    broken.push(...failed, ...(await verifyMigrated({ path, before, today, tenants: TENANTS })));
    if ((number + 1) % 5 === 0) log(`${number + 1} migrations, ${kills.kills} kills`);
  }
  return {
    counts: { migrations: count, ...kills, wrong: broken.length },
    broken: broken.slice(0, REASONS_MAX),
  };
}

/** A filled database with the schema of this version, and one that has the next migration too. */
async function makeDatabases(before: string, today: string): Promise<void> {
  const filled = await openSqliteStore({ path: before });
  await fillStore(filled, TENANTS, CHECKS);
  await filled.close();
  copyFileSync(before, today);
  const migrated = await openSqliteStore({ path: today, furtherMigrations: NEXT_MIGRATION });
  await migrated.close();
}

function markAsDone(path: string): void {
  const database = new Sqlite(path);
  const insert = database.prepare('insert into kysely_migration (name, timestamp) values (?, ?)');
  for (const name of Object.keys(NEXT_MIGRATION)) insert.run(name, '2026-03-01T12:00:00.000Z');
  database.close();
}
