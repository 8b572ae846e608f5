import { openFolder, startPostgres } from '@access-admin/harness';
import { openStore, type Store } from '@access-admin/store';
import { figure, type SuiteResult } from '../measure/report.ts';
import { spreadOf } from '../measure/rounds.ts';
import { createRegisterFiller } from '../reports/fill-register.ts';
import { TENANT } from '../world/seed-population.ts';

/** The number of violations; the environment variable changes it. */
const violations = Number(process.env['BENCH_VIOLATIONS'] ?? 1_000_000);
const PAGES = 4;
const LIMIT = 50;
const SUMMARIES = 40;

type Query = Parameters<Store['violations']['list']>[1];

const condition = (field: string, operator: string, ...values: readonly string[]) =>
  ({ field, operator, values }) as Query['conditions'][number];
const FILTERS: Readonly<Record<string, Query['conditions']>> = {
  'no filter': [],
  'status of most': [condition('status', 'eq', 'Open')],
  'status of some': [condition('status', 'in', 'Mitigated', 'Remediated')],
  level: [condition('level', 'eq', 'Critical')],
  'policy of many': [condition('policyId', 'eq', 'p-0')],
  'policy of few': [condition('policyId', 'eq', 'p-17')],
  target: [condition('targetId', 'eq', 'i-1234')],
  'start of policy name': [condition('policyName', 'sw', 'Policy 12')],
  'part of policy name': [condition('policyName', 'co', 'icy 12')],
  'start of target name': [condition('targetName', 'sw', 'Name 123')],
  'part of target name': [condition('targetName', 'co', '999')],
  'part that no target name has': [condition('targetName', 'co', 'zzz')],
  'created late': [condition('created', 'ge', '2026-09-01')],
  'created early': [condition('created', 'le', '2026-02-01')],
  'closed late': [condition('closed', 'ge', '2026-12-01')],
  'status and level': [condition('status', 'eq', 'Open'), condition('level', 'eq', 'High')],
  'status and created': [condition('status', 'eq', 'Open'), condition('created', 'ge', '2026-09-01')],
};
const SORTERS: Readonly<Record<string, Query['sorters']>> = {
  'default order': [],
  level: [{ field: 'level', descends: false }],
  '-level': [{ field: 'level', descends: true }],
  created: [{ field: 'created', descends: false }],
  modified: [{ field: 'modified', descends: false }],
  '-modified': [{ field: 'modified', descends: true }],
};

interface Measured {
  readonly engine: string;
  readonly pages: readonly { readonly name: string; readonly ms: number }[];
  readonly summariesMs: readonly number[];
}

/** Lists with each filter in each order, and the summary, of a register with many violations. */
export async function run(): Promise<SuiteResult> {
  const engines = (process.env['BENCH_ENGINES'] ?? 'SQLite,PostgreSQL').split(',');
  const measured: Measured[] = [];
  if (engines.includes('SQLite')) {
    using folder = openFolder('bench-violations');
    measured.push(await measure('SQLite', `sqlite:${folder.path}/store.db`));
  }
  if (engines.includes('PostgreSQL')) {
    const server = await startPostgres();
    if ('unavailable' in server) throw new Error(server.unavailable);
    await using _server = server;
    measured.push(await measure('PostgreSQL', (await server.createDatabase()).url));
  }
  return resultOf(measured);
}

async function measure(engine: string, url: string): Promise<Measured> {
  await using store = await openStore(url);
  await createRegisterFiller(store).fill(violations);
  const now = () => new Date().toISOString();
  const pages: { readonly name: string; readonly ms: number }[] = [];
  for (const [filter, conditions] of Object.entries(FILTERS))
    for (const [order, sorters] of Object.entries(SORTERS)) {
      let after: Awaited<ReturnType<Store['violations']['list']>>['next'] = null;
      for (let page = 0; page < PAGES; page++) {
        const start = performance.now();
        const list = await store.violations.list(
          TENANT,
          { conditions, sorters, now: now() },
          { limit: LIMIT, offset: 0, after },
        );
        pages.push({ name: `${filter}, ${order}`, ms: performance.now() - start });
        after = list.next;
      }
    }
  const summariesMs: number[] = [];
  for (let count = 0; count < SUMMARIES; count++) {
    const start = performance.now();
    await store.violations.summarize(TENANT, { now: now(), days: 30 });
    summariesMs.push(performance.now() - start);
  }
  return { engine, pages, summariesMs };
}

const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
const medianOf = (pages: Measured['pages']) => spreadOf(pages.map(({ ms }) => ms)).median;

function resultOf(measured: readonly Measured[]): SuiteResult {
  const lists = measured.map(({ pages }) => Map.groupBy(pages, ({ name }) => name));
  const names = [...(lists[0]?.keys() ?? [])];
  const slowness = (name: string) => Math.max(...lists.map((list) => medianOf(list.get(name) ?? [])));
  const slowest = names.toSorted((a, b) => slowness(b) - slowness(a)).slice(0, 15);
  const rows = slowest.map((name) => [name, ...lists.map((list) => figure(medianOf(list.get(name) ?? [])))]);
  const header = [
    `median ms of the first pages of a list, ${violations.toLocaleString('en-US')} violations; the slowest`,
    ...measured.map(({ engine }) => engine),
  ];
  const figures = measured.flatMap(({ engine, pages, summariesMs }) => [
    {
      name: `p95 of pages in ms, ${engine}`,
      spread: spreadOf([p95(pages.map(({ ms }) => ms))]),
      goal: 50,
      less: true as const,
    },
    { name: `p95 of summaries in ms, ${engine}`, spread: spreadOf([p95(summariesMs)]), goal: 5, less: true as const },
  ]);
  return { name: 'violations', tables: [{ header, rows }], figures, raw: { violations, measured } };
}
