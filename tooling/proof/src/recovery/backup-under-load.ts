import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessModelRecord } from '@access-admin/domain';
import { openFolder, ROOT, startProcess } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import Sqlite from 'better-sqlite3';
import type { Campaign, CampaignRun, Outcome } from '../campaign/campaign.ts';
import { createRandom } from '../campaign/random.ts';
import { COMPANY } from '../load/company.ts';
import { openFleet } from '../service/open-fleet.ts';
import { type Chain, startChain, verifyHistory } from './backup-history.ts';

const CHAINS = 6;
const PADDING_ROWS = 1_500;
const PADDING_LENGTH = 20_000;
const TENANT = 'default';
const REASONS_MAX = 5;

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
  run: (run) =>
    backUpUnderLoad(run, async (path, target) => {
      await runTool('backup', ['--to', target], path);
    }),
  // A plain copy of the file lacks its log.
  control: (run) => backUpUnderLoad(run, async (path, target) => copyFileSync(path, target)),
};

async function backUpUnderLoad(run: CampaignRun, backUp: BackUp): Promise<Outcome> {
  const { engine, seed, count, log, signal } = run;
  const random = createRandom(seed);
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(openFolder('proof')).path;
  const fleet = stack.use(await openFleet(engine, { apis: 2, workers: 1 }));
  const path = fleet.database.path ?? '';
  const clients = fleet.apis.map((api) => fleet.connect(api));
  await fleet.root.accessModel.import(COMPANY);
  const unchanged = (await Array.fromAsync<AccessModelRecord>(fleet.root.accessModel.export())).sort(byId);
  pad(path);
  const chains = Array.from({ length: CHAINS }, (_, at) => startChain(`c${at}`, clients[at % 2] ?? fleet.root));
  const broken: string[] = [];
  try {
    for (let number = 0; number < count; number++) {
      signal.throwIfAborted();
      await delay(random(300));
      const [target, restored] = [join(folder, `${number}.db`), join(folder, `${number}`, 'access-admin.db')];
      const begunMs = performance.now();
      await backUp(path, target);
      mkdirSync(join(folder, `${number}`));
      const wrong = await restoreAndVerify({ target, restored, chains, begunMs, unchanged }).catch((error) => [
        String(error),
      ]);
      broken.push(...wrong.map((text) => `backup ${number + 1}: ${text}`));
      for (const made of [target, join(folder, `${number}`)]) rmSync(made, { recursive: true });
      if ((number + 1) % 5 === 0) log(`${number + 1} backups, ${broken.length} failures`);
    }
  } finally {
    await Promise.all(chains.map((chain) => chain.stop()));
  }
  const acknowledged = chains.reduce((sum, { acknowledgedMs }) => sum + acknowledgedMs.length, 0);
  return {
    counts: { backups: count, 'writes meanwhile': acknowledged, failures: broken.length },
    broken: [
      ...broken.slice(0, REASONS_MAX),
      ...fleet.crashes(),
      ...(acknowledged < count * CHAINS ? ['too little was written to prove anything'] : []),
    ],
  };
}

interface Backup {
  readonly target: string;
  readonly restored: string;
  readonly chains: readonly Chain[];
  readonly begunMs: number;
  readonly unchanged: readonly AccessModelRecord[];
}

async function restoreAndVerify({ target, restored, chains, begunMs, unchanged }: Backup): Promise<readonly string[]> {
  await runTool('restore', ['--from', target], restored);
  await using store = await openStore(`sqlite:${restored}`);
  const records = await Array.fromAsync(store.accessModel.export(TENANT));
  const isTrace = ({ kind, id }: AccessModelRecord) => kind === 'identity' && id.startsWith('trace-');
  const rest = records.filter((record) => !isTrace(record)).sort(byId);
  const database = new Sqlite(restored, { readonly: true });
  const strings = (sql: string) => database.prepare<[], string>(sql).pluck().all();
  const marks = [
    ...strings(`select client_metadata ->> 'mark' from sod_check where tenant = '${TENANT}'`),
    ...strings('select uid from identity'),
    ...strings('select name from oauth_client'),
  ];
  const unsound = strings('pragma integrity_check').filter((text) => text !== 'ok');
  const dangling = database.pragma('foreign_key_check');
  database.close();
  const tracesOf = (name: string) => {
    const own = marks.filter((mark) => mark.startsWith(`${name}/`));
    return new Set(own.map((mark) => Number(mark.split('/')[1])));
  };
  return [
    ...unsound,
    ...(Array.isArray(dangling) && dangling.length === 0 ? [] : ['dangling references']),
    ...verifyHistory(chains, tracesOf, begunMs),
    ...(JSON.stringify(rest) === JSON.stringify(unchanged) ? [] : ['unchanged records are not exported as before']),
  ];
}

/** Makes the file so long that a backup takes many steps. */
function pad(path: string): void {
  const database = new Sqlite(path, { timeout: 5_000 });
  database
    .prepare(
      `insert into sod_check (tenant, request_id, created, state, attempts, fence, claimable_at_ms, identity_id,
         access_refs, result)
       with recursive number(n) as (select 1 union all select n + 1 from number where n < ?)
       select 'padding', 'p-' || n, '2026-03-01T12:00:00.000Z', 'SUCCESS', 1, 1, 0, 'i', '[]', hex(randomblob(?)) from number`,
    )
    .run(PADDING_ROWS, PADDING_LENGTH / 2);
  database.close();
}

async function runTool(tool: 'backup' | 'restore', args: readonly string[], path: string): Promise<void> {
  const command = [process.execPath, join(ROOT, `tooling/bootstrap/${tool}.mjs`), ...args] as const;
  await using running = startProcess([...command], { env: { DATABASE_URL: `sqlite:${path}` }, cwd: ROOT });
  const { code } = await running.ended;
  if (code !== 0) throw new Error(`${tool} ended with ${code}: ${running.output()}`);
}

const byId = (left: AccessModelRecord, right: AccessModelRecord) =>
  `${left.kind}/${left.id}` < `${right.kind}/${right.id}` ? -1 : 1;
