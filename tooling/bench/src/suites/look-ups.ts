import { openFolder, readRows, startPostgres } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { type ImportCost, measureImports } from '../look-ups/import-cost.ts';
import { catalogueRecords, peopleRecords } from '../look-ups/people.ts';
import { measureSearches, type PageTimes } from '../look-ups/searches.ts';
import { figure, type SuiteResult } from '../measure/report.ts';
import { spreadOf } from '../measure/rounds.ts';
import { seedStore } from '../world/seed-population.ts';

/** The number of identities; the environment variable changes it. */
const IDENTITIES = Number(process.env['BENCH_IDENTITIES'] ?? 1_000_000);
const SHOWN = 12;

interface Measured {
  readonly engine: string;
  readonly seedSeconds: number;
  readonly times: PageTimes;
  readonly imports: readonly ImportCost[];
}

/** Pages of searches among many identities, and what the index that serves them adds to imports. */
export async function run(): Promise<SuiteResult> {
  const engines = (process.env['BENCH_ENGINES'] ?? 'SQLite,PostgreSQL').split(',');
  const measured: Measured[] = [];
  if (engines.includes('SQLite')) {
    using folder = openFolder('bench-look-ups');
    let files = 0;
    measured.push(await measure('SQLite', async () => `sqlite:${folder.path}/${files++}.db`));
  }
  if (engines.includes('PostgreSQL')) {
    const server = await startPostgres();
    if ('unavailable' in server) throw new Error(server.unavailable);
    await using _server = server;
    measured.push(await measure('PostgreSQL', async () => (await server.createDatabase()).url));
  }
  return resultOf(measured);
}

async function measure(engine: string, createDatabase: () => Promise<string>): Promise<Measured> {
  const imports = await withStore(await createDatabase(), measureImports);
  const url = await createDatabase();
  await seedStore(url, catalogueRecords());
  const seedSeconds = await seedStore(url, peopleRecords(IDENTITIES));
  process.stderr.write(`${engine}: ${IDENTITIES} identities in ${Math.round(seedSeconds)} s\n`);
  // PostgreSQL does so by itself within some minutes.
  if (engine === 'PostgreSQL') await readRows(url, 'vacuum (analyze) search_entry');
  return { engine, imports, seedSeconds, times: await withStore(url, measureSearches) };
}

async function withStore<T>(url: string, work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>) {
  await using store = await openStore(url);
  return await work(store);
}

const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

function resultOf(measured: readonly Measured[]): SuiteResult {
  const names = [...(measured[0]?.times.keys() ?? [])];
  const medianOf = ({ times }: Measured, name: string) => spreadOf(times.get(name) ?? []).median;
  const slowness = (name: string) => Math.max(...measured.map((each) => medianOf(each, name)));
  const slowest = names.toSorted((a, b) => slowness(b) - slowness(a)).slice(0, SHOWN);
  const count = IDENTITIES.toLocaleString('en-US');
  const engines = measured.map(({ engine }) => engine);
  return {
    name: 'look-ups',
    tables: [
      {
        header: [`median ms of a page, ${count} identities; the slowest searches`, ...engines],
        rows: slowest.map((name) => [name, ...measured.map((each) => figure(medianOf(each, name)))]),
      },
      {
        header: ['import of 10,000 identities with 20 assignments each, ms (CPU of the service)', ...engines],
        rows: (measured[0]?.imports ?? []).map(({ name }, at) => [
          name,
          ...measured.map(({ imports }) => `${figure(imports[at]?.ms ?? 0)} (${figure(imports[at]?.cpuMs ?? 0)})`),
        ]),
      },
    ],
    figures: measured.flatMap(({ engine, times }) => {
      const all = [...times.values()].flat();
      return [
        { name: `p95 of pages of searches in ms, ${engine}`, spread: spreadOf([p95(all)]), goal: 50, less: true },
        { name: `the longest of ${all.length} pages in ms, ${engine}`, spread: spreadOf([Math.max(...all)]) },
      ] as const;
    }),
    raw: {
      identities: IDENTITIES,
      measured: measured.map(({ times, ...each }) => ({ ...each, times: Object.fromEntries(times) })),
    },
  };
}
