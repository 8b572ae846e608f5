import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@access-admin/store';
import Sqlite from 'better-sqlite3';
import type { Campaign, CampaignRun, Outcome } from '../campaign/campaign.ts';
import { createRandom, drawOne } from '../campaign/random.ts';
import { fillStore } from '../disk/fill-store.ts';
import { listMigrations, makeEarlierDatabase } from './earlier-schema.ts';
import { createOpenings, type Openings } from './interrupt-opening.ts';
import { verifyMigrated } from './verify-migrated.ts';

const TENANTS = ['acme', 'globex'];
const CHECKS = 3_000;
const TOGETHER = 3;
const KILLS_MAX = 3;
const REASONS_MAX = 5;

/** U1: a database of every earlier version comes up to date with all that is in it, whatever happens meanwhile. */
export const interruptedMigrations: Campaign = {
  id: 'U1',
  title: 'migrations, interrupted and by several at once',
  unit: 'migrations',
  full: 20,
  short: 4,
  engines: ['sqlite'],
  run: (run) => migrateAll(run, () => {}),
  // As if a migration were marked as done in a transaction of its own, and the process had died before the rest.
  control: (run) => migrateAll(run, markAsDone),
};

async function migrateAll(
  run: CampaignRun,
  tamper: (path: string, names: readonly string[]) => void,
): Promise<Outcome> {
  const { seed, count, log, signal } = run;
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-u1-'));
  try {
    const today = join(folder, 'today.db');
    await using store = await openStore(`sqlite:${today}`);
    await fillStore(store, TENANTS, CHECKS);
    const names = await listMigrations();
    // The schema of today is no earlier one.
    const earlier = names.slice(0, -1);
    const openings = new Map<string, Openings>();
    for (const name of earlier) {
      const before = join(folder, `${name}.db`);
      await makeEarlierDatabase(before, name, today);
      openings.set(name, await createOpenings(folder, before));
    }
    const random = createRandom(seed);
    const kills = { kills: 0, 'kills before the end of the migration': 0 };
    const broken: string[] = [];
    for (let number = 0; number < count; number++) {
      signal.throwIfAborted();
      const name = drawOne(() => number % earlier.length, earlier);
      const [directory, before] = [join(folder, 'migrated'), join(folder, `${name}.db`)];
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory);
      const path = join(directory, 'access-admin.db');
      copyFileSync(before, path);
      tamper(path, names);
      for (let kill = 1 + random(KILLS_MAX); kill > 0; kill--) {
        kills.kills += 1;
        if (!(await openings.get(name)?.kill(path, random))) kills['kills before the end of the migration'] += 1;
      }
      const failed = (await openings.get(name)?.together(path, TOGETHER)) ?? [];
      const wrong = [...failed, ...(await verifyMigrated({ path, before, today, tenants: TENANTS }))];
      broken.push(...wrong.map((text) => `from ${name}: ${text}`));
      if ((number + 1) % 5 === 0) log(`${number + 1} migrations, ${kills.kills} kills`);
    }
    return {
      counts: { migrations: count, 'earlier schemas': earlier.length, ...kills, wrong: broken.length },
      broken: broken.slice(0, REASONS_MAX),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function markAsDone(path: string, names: readonly string[]): void {
  const database = new Sqlite(path);
  const insert = database.prepare('insert or ignore into kysely_migration (name, timestamp) values (?, ?)');
  for (const name of names) insert.run(name, '2026-03-01T12:00:00.000Z');
  database.close();
}
