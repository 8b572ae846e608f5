import { loadavg } from 'node:os';
import { openStore } from '@access-admin/store';
import { cpuSecondsOf, cpuSecondsOfFamily, queuedSecondsOf } from '../measure/process-usage.ts';
import { type Figure, figure, type SuiteResult } from '../measure/report.ts';
import { p95Of, spreadOf } from '../measure/rounds.ts';
import { measureChanges, measurePolicy, measureReads, summaryOf, untilComplete } from '../register/measures.ts';
import { createRegisterWorld } from '../register/register-world.ts';
import { ENGINE, openServiceOfEngine } from '../servers/open-measured-service.ts';
import { seedStore } from '../world/seed-population.ts';

const WORLD = { seed: 20_261_129, assignments: 50 };
const CHANGES_PER_SECOND = 50;
const TURNS = 40;
const NEW_POLICIES_MIN = 3;

/** The sizes, which environment variables change. */
const sizeOf = (name: string, usual: number) => Number(process.env[`BENCH_${name}`] ?? usual);

/** How soon the register shows what has changed, and how long reads of it take. */
export async function run(): Promise<SuiteResult> {
  const identities = sizeOf('IDENTITIES', 20_000);
  const size = { identities, policies: sizeOf('POLICIES', 1_000), changes: sizeOf('CHANGES', 200) };
  const engine = ENGINE;
  const measured = await measureRegister(size);
  const { found, open, policySeconds, waitsMs, lists, summary, probe, costs } = measured;
  const atMost = (name: string, values: readonly number[], goal: number): Figure => {
    return { name: `${name}, ${engine}`, spread: spreadOf(values), goal, less: true };
  };
  const readRow = ({ name, ms }: typeof summary) => [name, figure(spreadOf(ms).median), figure(p95Of(ms))];
  return {
    name: 'register',
    tables: [
      { header: ['read over HTTP', 'median, ms', 'p95, ms'], rows: [...lists, summary, probe].map(readRow) },
      {
        header: ['while', 's', 'worker waits for a processor, s', 'its CPU', 'of the API', 'of PostgreSQL', 'load'],
        rows: costs.map(({ name, values }) => [name, ...values.map(figure)]),
      },
    ],
    figures: [
      { name: 'open violations, with the first policies and with the new ones', spread: spreadOf([found, open]) },
      atMost('p95 in ms until a change of an identity is shown', [p95Of(waitsMs)], 500),
      atMost('s until a new policy that a tenth violates is shown', policySeconds, 8),
      atMost('p95 of lists, ms', [p95Of(lists.flatMap(({ ms }) => ms))], 30),
      atMost('p95 of summaries, ms', [p95Of(summary.ms)], 20),
    ],
    raw: { ...WORLD, ...size, engine, ...measured },
  };
}

type Size = Readonly<Record<'identities' | 'policies' | 'changes', number>>;

/** Measures the register of a new database. */
export async function measureRegister(size: Size) {
  await using stack = new AsyncDisposableStack();
  const { server, service } = await openServiceOfEngine(stack);
  const world = createRegisterWorld({ ...WORLD, ...size });
  await seedStore(service.databaseUrl, world.records);
  const store = stack.use(await openStore(service.databaseUrl));
  const api = await service.startApi();
  const worker = service.startWorker();
  const costs: { readonly name: string; readonly values: readonly number[] }[] = [];
  const withCosts = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const pid = server?.pid() ?? null;
    const used = () => {
      const ofServer = pid === null ? 0 : cpuSecondsOfFamily(pid);
      const ofWorker = [queuedSecondsOf(worker.pid), cpuSecondsOf(worker.pid)];
      return [performance.now() / 1000, ...ofWorker, cpuSecondsOf(api.pid), ofServer];
    };
    const before = used();
    const result = await work();
    costs.push({ name, values: [...used().map((value, at) => value - (before[at] ?? 0)), loadavg()[0] ?? 0] });
    return result;
  };
  await withCosts('first filling', () => untilComplete(store));
  const { open: found } = await summaryOf(store);
  const policySeconds: number[] = [];
  for (let open = found, number = 0; number < NEW_POLICIES_MIN || open < size.identities; number++) {
    policySeconds.push(await withCosts('new policy', () => measurePolicy(store, world, number)));
    ({ open } = await summaryOf(store));
  }
  const { open } = await summaryOf(store);
  const reads = await withCosts('reads', () => measureReads(api.client, TURNS));
  const ofChanges = { count: size.changes / 2, perSecond: CHANGES_PER_SECOND };
  const waitsMs = await withCosts('changes', () => measureChanges(store, world, ofChanges));
  return { found, open, policySeconds, waitsMs, ...reads, costs };
}
