import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFolder, ROOT, startProcess } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { COMPANY } from '../load/company.ts';
import { findCorruption, openSql, openSqlite, type Sql } from '../service/open-database.ts';
import { openFleet } from '../service/open-fleet.ts';
import { type Chain, startChain, verifyHistory } from './backup-history.ts';

const CHAINS = 6;
const PADDING_ROWS = 1_500;
const PADDING_BYTES = 10_000;
const TENANT = 'default';
const PAUSE_MS = { min: 0, spread: 300 };

/** Copies a database in use, so that the service can start from the copy. */
type BackUp = (path: string, target: string) => Promise<void>;

/** B1: a backup taken under load is a consistent state with every write acknowledged before it began. */
export const backupUnderLoad: Campaign = {
  id: 'B1',
  title: 'backup under load, restored',
  unit: 'backups',
  full: 20,
  short: 3,
  // PostgreSQL brings its own tools for this.
  engines: ['sqlite'],
  run: (run) => backUpUnderLoad(run, (path, target) => runTool('backup', ['--to', target], path)),
  // A plain copy of the file lacks its log.
  control: (run) => backUpUnderLoad(run, async (path, target) => copyFileSync(path, target)),
};

async function backUpUnderLoad(run: CampaignRun, backUp: BackUp): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(openFolder('proof')).path;
  const { database, root, ...fleet } = stack.use(await openFleet(run.engine, { apis: 2, workers: 1 }));
  const path = database.path ?? '';
  await root.accessModel.import(COMPANY);
  const unchanged = await sorted(root.accessModel.export());
  await pad(stack.use(await openSql(database)));
  const clients = Array.from({ length: CHAINS / 2 }, () => fleet.connect()).flat();
  const chains = clients.map((client, at) => startChain(`c${at}`, client));
  const wrong: string[] = [];
  try {
    await repeatAttack({ ...run, pauseMs: PAUSE_MS }, async (_, number) => {
      const [target, restored] = [join(folder, `${number}.db`), join(folder, `${number}`, 'access-admin.db')];
      const begunMs = performance.now();
      await backUp(path, target);
      mkdirSync(dirname(restored));
      const restoring = restoreAndVerify({ target, restored, chains, begunMs, unchanged });
      const failures = await restoring.catch((error: unknown) => [String(error)]);
      wrong.push(...failures.map((text) => `backup ${number + 1}: ${text}`));
      for (const made of [target, dirname(restored)]) rmSync(made, { recursive: true });
    });
  } finally {
    await Promise.all(chains.map((chain) => chain.stop()));
  }
  const acknowledged = chains.reduce((sum, { acknowledgedMs }) => sum + acknowledgedMs.length, 0);
  return {
    counts: { backups: run.count, 'writes meanwhile': acknowledged, failures: wrong.length },
    broken: [
      ...summed('failures', wrong),
      ...fleet.crashes(),
      ...(acknowledged < run.count * CHAINS ? ['too little was written to prove anything'] : []),
    ],
  };
}

interface Backup {
  readonly target: string;
  readonly restored: string;
  readonly chains: readonly Chain[];
  readonly begunMs: number;
  readonly unchanged: readonly string[];
}

async function restoreAndVerify({ target, restored, chains, begunMs, unchanged }: Backup): Promise<readonly string[]> {
  await runTool('restore', ['--yes', '--from', target], restored);
  await using store = await openStore(`sqlite:${restored}`);
  const rest = (await sorted(store.accessModel.export(TENANT))).filter((line) => !line.includes('"id":"trace-'));
  await using sql = await openSqlite(restored);
  const marks = await sql.texts(`select client_metadata ->> 'mark' from sod_check where tenant = '${TENANT}'
    union all select uid from identity union all select name from oauth_client`);
  const tracesOf = (name: string) => {
    const own = marks.filter((mark) => mark.startsWith(`${name}/`));
    return new Set(own.map((mark) => Number(mark.split('/')[1])));
  };
  return [
    ...(await findCorruption(sql)),
    ...verifyHistory(chains, tracesOf, begunMs),
    ...(rest.join() === unchanged.join() ? [] : ['unchanged records are not exported as before']),
  ];
}

const sorted = async (records: AsyncIterable<unknown>): Promise<readonly string[]> =>
  (await Array.fromAsync(records)).map((record) => JSON.stringify(record)).sort();

/** Makes the file so long that a backup takes many steps. */
async function pad(sql: Sql): Promise<void> {
  await sql.run(`
    insert into sod_check (tenant, request_id, created, state, attempts, fence, claimable_at_ms, identity_id, access_refs, result)
    with recursive number(n) as (select 1 union all select n + 1 from number where n < ${PADDING_ROWS})
    select 'padding', 'p-' || n, '2026-03-01T12:00:00.000Z', 'SUCCESS', 1, 1, 0, 'i', '[]', hex(randomblob(${PADDING_BYTES}))
    from number`);
}

async function runTool(tool: 'backup' | 'restore', args: readonly string[], path: string): Promise<void> {
  const command = join(ROOT, 'apps/server/bin/access-admin.mjs');
  await using running = startProcess([process.execPath, command, tool, ...args], {
    env: { DATABASE_URL: `sqlite:${path}` },
    cwd: ROOT,
  });
  const { code } = await running.ended;
  if (code !== 0) throw new Error(`${tool} ended with ${code}: ${running.output()}`);
}
