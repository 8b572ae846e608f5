import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openFolder, ROOT, startPostgres } from '@access-admin/harness';
import { printSuite, writeResults } from '../measure/report.ts';
import { compareSubjects } from './alternate-subjects.ts';
import type { Checkout } from './checkout.ts';
import { compareFirstRequests, compareHttp } from './http.ts';
import { type Compared, comparisonTable } from './ratios.ts';
import { compareMemory, compareReports, compareStart, compareWaits } from './services.ts';

type Compare = (checkouts: readonly Checkout[]) => Promise<readonly Compared[]>;

const COMPARISONS: Readonly<Record<string, Compare>> = {
  predict: (checkouts) => compareSubjects(checkouts, 'predict', { rounds: 15 }),
  edits: (checkouts) => compareSubjects(checkouts, 'edits', { rounds: 1 }),
  http: (checkouts) => compareHttp(checkouts, { policies: 10_000 }),
  'first-requests': compareFirstRequests,
  'large-rulebook': (checkouts) => compareHttp(checkouts, { policies: 100_000 }),
  queue: compareQueueOnSqlite,
  'queue-postgres': compareQueueOnPostgres,
  waits: compareWaits,
  'http-postgres': (checkouts) =>
    onPostgres((create) => compareHttp(checkouts, { policies: 10_000, databaseUrlOf: create })),
  evaluation: (checkouts) => compareSubjects(checkouts, 'evaluation', { rounds: 5 }),
  reports: compareReports,
  import: (checkouts) => compareSubjects(checkouts, 'import', { rounds: 3, argumentOf: () => '50000' }),
  memory: compareMemory,
  start: compareStart,
};

/** `compare --before <folder> [names]`: the same figures of another built checkout and of this one, in alternate rounds. */
export async function runComparison(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { before: { type: 'string' } },
    allowPositionals: true,
  });
  const names = positionals.length > 0 ? positionals : Object.keys(COMPARISONS);
  const unknown = names.filter((name) => !Object.hasOwn(COMPARISONS, name));
  if (values.before === undefined || unknown.length > 0) {
    const all = Object.keys(COMPARISONS).join(' ');
    throw new Error(`Usage: compare --before <folder of a built checkout> [names]; names: ${all}`);
  }
  const checkouts: readonly Checkout[] = [
    { name: 'before', folder: resolve(values.before) },
    { name: 'after', folder: ROOT },
  ];
  for (const name of names) {
    const start = performance.now();
    const compared = (await COMPARISONS[name]?.(checkouts)) ?? [];
    const seconds = Math.round((performance.now() - start) / 1000);
    printSuite({ name: `compare ${name}`, tables: [comparisonTable(compared)], figures: [], raw: {} }, seconds);
    writeResults(`compare-${name}`, { seconds, compared });
  }
}

async function compareQueueOnSqlite(checkouts: readonly Checkout[]): Promise<readonly Compared[]> {
  using folder = openFolder('bench');
  const argumentOf = ({ name }: Checkout) => `sqlite:${join(folder.path, `${name}.db`)}`;
  return await compareSubjects(checkouts, 'queue', { rounds: 9, argumentOf });
}

async function compareQueueOnPostgres(checkouts: readonly Checkout[]): Promise<readonly Compared[]> {
  return await onPostgres(async (create) => {
    const urls = { before: await create(), after: await create() };
    return await compareSubjects(checkouts, 'queue', { rounds: 9, argumentOf: ({ name }) => urls[name] });
  });
}

async function onPostgres<T>(work: (createDatabase: () => Promise<string>) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  if ('unavailable' in server) throw new Error(server.unavailable);
  await using _server = server;
  return await work(async () => (await server.createDatabase()).url);
}
