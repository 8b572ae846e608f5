import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFolder } from '@access-admin/harness';
import { openSqliteStore } from '@access-admin/store';
import Sqlite from 'better-sqlite3';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { fillStore } from '../disk/fill-store.ts';
import { createOpenings } from './interrupt-opening.ts';
import { NEXT_MIGRATION } from './next-migration.ts';
import { verifyMigrated } from './verify-migrated.ts';

const TENANTS = ['acme', 'globex'];
const CHECKS = 3_000;
const TOGETHER = 3;
const KILLS_MAX = 3;

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
  const openings = await createOpenings(folder, uninterrupted);
  const kills = { kills: 0, 'kills before the end of the migration': 0 };
  const wrong: string[] = [];
  await repeatAttack(run, async (random) => {
    const path = copyIn('migrated');
    tamper(path);
    for (let kill = 1 + random(KILLS_MAX); kill > 0; kill--) {
      kills.kills += 1;
      if (!(await openings.kill(path, random))) kills['kills before the end of the migration'] += 1;
    }
    wrong.push(...(await openings.together(path, TOGETHER)));
    wrong.push(...(await verifyMigrated({ path, before, uninterrupted, tenants: TENANTS })));
  });
  return { counts: { migrations: run.count, ...kills, wrong: wrong.length }, broken: summed('failures', wrong) };
}

function markAsDone(path: string): void {
  const database = new Sqlite(path);
  const insert = database.prepare('insert into kysely_migration (name, timestamp) values (?, ?)');
  for (const name of Object.keys(NEXT_MIGRATION)) insert.run(name, '2026-03-01T12:00:00.000Z');
  database.close();
}
