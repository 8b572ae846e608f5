import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openFolder, ROOT, startPostgres } from '@access-admin/harness';
import { printSuite, writeResults } from '../measure/report.ts';
import { compareSubjects } from './alternate-subjects.ts';
import type { Checkout } from './checkout.ts';
import { compareChecks } from './checks.ts';
import { compareFirstRequests, compareHttp, compareSessions } from './http.ts';
import { compareImports } from './imports.ts';
import { type Compared, comparisonTable } from './ratios.ts';
import { compareReplicas } from './replicas.ts';
import { compareImportWarnings, compareMemory, compareReports, compareStart, compareWaits } from './services.ts';
import type { SUBJECTS } from './subjects.ts';

type Compare = (checkouts: readonly Checkout[], rounds: number) => Promise<readonly Compared[]>;

interface Comparison {
  /** The number of rounds by default. */
  readonly rounds: number;
  readonly compare: Compare;
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  predict: { rounds: 15, compare: compareSubject('predict') },
  edits: { rounds: 5, compare: compareSubject('edits') },
  http: { rounds: 5, compare: (checkouts, rounds) => compareHttp(checkouts, { policies: 10_000, rounds }) },
  'first-requests': { rounds: 3, compare: compareFirstRequests },
  sessions: { rounds: 5, compare: compareSessions },
  'large-rulebook': {
    rounds: 5,
    compare: (checkouts, rounds) => compareHttp(checkouts, { policies: 100_000, rounds }),
  },
  queue: { rounds: 9, compare: compareQueueOnSqlite },
  'queue-postgres': { rounds: 9, compare: compareQueueOnPostgres },
  checks: { rounds: 7, compare: (checkouts, rounds) => compareChecks(checkouts, { rounds }) },
  'checks-postgres': {
    rounds: 7,
    compare: (checkouts, rounds) => onPostgres((create) => compareChecks(checkouts, { rounds, databaseUrlOf: create })),
  },
  waits: { rounds: 5, compare: compareWaits },
  'http-postgres': {
    rounds: 5,
    compare: (checkouts, rounds) =>
      onPostgres((create) => compareHttp(checkouts, { policies: 10_000, rounds, databaseUrlOf: create })),
  },
  replicas: {
    rounds: 5,
    compare: (checkouts, rounds) =>
      onPostgres((create) => compareReplicas(checkouts, { rounds, createDatabase: create })),
  },
  evaluation: { rounds: 5, compare: compareSubject('evaluation') },
  reports: { rounds: 9, compare: compareReports },
  import: { rounds: 5, compare: compareSubject('import', () => '50000') },
  people: { rounds: 5, compare: compareSubject('people', () => '10000') },
  imports: { rounds: 3, compare: (checkouts, rounds) => compareImports(checkouts, { rounds, engine: 'SQLite' }) },
  'imports-postgres': {
    rounds: 3,
    compare: (checkouts, rounds) =>
      onPostgres((create) => compareImports(checkouts, { rounds, engine: 'PostgreSQL', databaseUrlOf: create })),
  },
  'import-warnings': { rounds: 5, compare: compareImportWarnings },
  memory: { rounds: 7, compare: compareMemory },
  start: { rounds: 9, compare: compareStart },
  client: { rounds: 9, compare: compareSubject('client') },
};

/** Measures the same figures of another built checkout and of this one, in alternate rounds. */
export async function runComparison(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { before: { type: 'string' }, rounds: { type: 'string' } },
    allowPositionals: true,
  });
  const names = positionals.length > 0 ? positionals : Object.keys(COMPARISONS);
  const unknown = names.filter((name) => !Object.hasOwn(COMPARISONS, name));
  if (values.before === undefined || unknown.length > 0) {
    const all = Object.keys(COMPARISONS).join(' ');
    throw new Error(`Usage: compare --before <folder of a built checkout> [--rounds <number>] [names]; names: ${all}`);
  }
  const checkouts: readonly Checkout[] = [
    { name: 'before', folder: resolve(values.before) },
    { name: 'after', folder: ROOT },
  ];
  for (const name of names) {
    const comparison = COMPARISONS[name];
    if (comparison === undefined) continue;
    const start = performance.now();
    const rounds = Number(values.rounds ?? comparison.rounds);
    const compared = await comparison.compare(checkouts, rounds);
    const seconds = Math.round((performance.now() - start) / 1000);
    printSuite({ name: `compare ${name}`, tables: [comparisonTable(compared)], figures: [], raw: {} }, seconds);
    writeResults(`compare-${name}`, { seconds, compared });
  }
}

function compareSubject(name: keyof typeof SUBJECTS, argumentOf = () => ''): Compare {
  return (checkouts, rounds) => compareSubjects(checkouts, name, { rounds, argumentOf });
}

async function compareQueueOnSqlite(checkouts: readonly Checkout[], rounds: number): Promise<readonly Compared[]> {
  using folder = openFolder('bench');
  const argumentOf = ({ name }: Checkout) => `sqlite:${join(folder.path, `${name}.db`)}`;
  return await compareSubjects(checkouts, 'queue', { rounds, argumentOf });
}

async function compareQueueOnPostgres(checkouts: readonly Checkout[], rounds: number): Promise<readonly Compared[]> {
  return await onPostgres(async (create) => {
    const urls = { before: await create(), after: await create() };
    return await compareSubjects(checkouts, 'queue', { rounds, argumentOf: ({ name }) => urls[name] });
  });
}

async function onPostgres<T>(work: (createDatabase: () => Promise<string>) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  if ('unavailable' in server) throw new Error(server.unavailable);
  await using _server = server;
  return await work(async () => (await server.createDatabase()).url);
}
