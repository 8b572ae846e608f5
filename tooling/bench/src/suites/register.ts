import { setTimeout as sleep } from 'node:timers/promises';
import { readRows, startPostgres } from '@access-admin/harness';
import { openStore, type Store } from '@access-admin/store';
import { figure, type SuiteResult } from '../measure/report.ts';
import { ROUNDS, ratioOf, type Spread, spreadOf, takeTurns } from '../measure/rounds.ts';
import { makeScan } from '../reports/make-reports.ts';
import { openPredictLoad, p99Of } from '../reports/predict-latency.ts';
import { createRegisterWorld, MANY, type RegisterWorld } from '../reports/register-world.ts';
import { openRegisterWriter } from '../reports/register-writer.ts';
import { waitForRegister } from '../reports/wait-for-register.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { importRecords, seedStore, TENANT } from '../world/seed-population.ts';

const SEED = 20_261_122;
const ASSIGNMENTS = 50;
const POLICIES = 10_000;
const PROBES = 100;
const CHANGES_PER_SECOND = 50;
const PROBE_EVERY_MS = 200;
const LOOK_EVERY_MS = 5;
const TOLD_EVERY_MS = 50;
/** Size of the population; the environment variable changes it. */
const identities = Number(process.env['BENCH_IDENTITIES'] ?? 100_000);

interface Measured {
  readonly engine: string;
  readonly fillingSeconds: number;
  /** Until all of it is told, too. */
  readonly fillingToldSeconds: number;
  readonly scanSeconds: number;
  /** From the commit of the change of one identity to its violation and event. */
  readonly visibleMs: readonly number[];
  readonly policySeconds: number;
  readonly policyToldSeconds: number;
  readonly violatedByPolicy: number;
  /** The 99th percentiles of predicts before and while the same policy is enforced again, by round. */
  readonly calmP99: readonly number[];
  readonly roundP99: readonly number[];
  readonly violations: number;
  readonly violationBytes: number;
  readonly eventBytes: number;
}

/** The register of violations: its first filling, a change of one identity, a policy that almost everybody violates, its size. */
export async function run(): Promise<SuiteResult> {
  const engines = (process.env['BENCH_ENGINES'] ?? 'SQLite,PostgreSQL').split(',');
  const measured: Measured[] = [];
  if (engines.includes('SQLite')) measured.push(await measure('SQLite'));
  if (engines.includes('PostgreSQL')) {
    const server = await startPostgres();
    if ('unavailable' in server) throw new Error(server.unavailable);
    await using _server = server;
    measured.push(await measure('PostgreSQL', (await server.createDatabase()).url));
  }
  return resultOf(measured);
}

async function measure(engine: string, databaseUrl?: string): Promise<Measured> {
  const world = createRegisterWorld({ seed: SEED, identities, assignments: ASSIGNMENTS, policies: POLICIES });
  await using service = openMeasuredService(databaseUrl === undefined ? {} : { databaseUrl });
  await seedStore(service.databaseUrl, world.records());
  await using api = await service.startApi();
  await using store = await openStore(service.databaseUrl);
  const filling = await fill(service, store);
  await using _worker = service.startWorker();
  // The worker has nothing in memory yet, as at the filling.
  const { seconds: scanSeconds } = await makeScan(api.client);
  const sizes = await sizesOf(service.databaseUrl);
  const visibleMs = await measureChanges(store, world);
  await waitForRegister(store);
  const before = performance.now();
  await importRecords(store, [world.policyOfMany('ENFORCED')]);
  const { shownSeconds: policySeconds, toldSeconds: policyToldSeconds } = await timeRound(service.databaseUrl, {
    store,
    startMs: before,
  });
  const violatedByPolicy = await numberOf(
    service.databaseUrl,
    `select count(*) as value from sod_violation where policy_id = '${MANY}'`,
  );
  await using writer = await openRegisterWriter(service.databaseUrl);
  const predict = await openPredictLoad({ service, api, identities, ...world });
  const predicts = await measurePredicts(predict, (state) => writer.write(world.policyOfMany(state)));
  return {
    engine,
    fillingSeconds: filling.shownSeconds,
    fillingToldSeconds: filling.toldSeconds,
    scanSeconds,
    visibleMs,
    policySeconds,
    policyToldSeconds,
    violatedByPolicy,
    ...predicts,
    ...sizes,
  };
}

interface Timing {
  readonly store: Store;
  readonly startMs: number;
}

/** How long a round takes from a start until it is shown, and until all of it is told. */
async function timeRound(url: string, { store, startMs }: Timing) {
  await waitForRegister(store);
  const shownSeconds = (performance.now() - startMs) / 1000;
  while ((await numberOf(url, 'select count(*) as value from register_staged')) > 0) await sleep(TOLD_EVERY_MS);
  return { shownSeconds, toldSeconds: (performance.now() - startMs) / 1000 };
}

const PREDICTED_MS = 5_000;
const PIECE_MS = 500;

/** Predicts while nothing else happens, and while the register takes in the policy that almost everybody violates. */
async function measurePredicts(
  predict: Awaited<ReturnType<typeof openPredictLoad>>,
  write: (state: 'ENFORCED' | 'NOT_ENFORCED') => Promise<void>,
): Promise<Pick<Measured, 'calmP99' | 'roundP99'>> {
  const [rounds = []] = await takeTurns([write], async () => {
    await write('NOT_ENFORCED');
    // The worker moves the log of SQLite after its round, and PostgreSQL cleans up: these seconds are not calm yet.
    await predict(PREDICTED_MS);
    const calm = await predict(PREDICTED_MS);
    const latencies: number[] = [];
    let isWritten = false;
    const writing = write('ENFORCED').finally(() => {
      isWritten = true;
    });
    const predictMeanwhile = async () => {
      while (!isWritten) latencies.push(...(await predict(PIECE_MS)));
    };
    await Promise.all([writing, predictMeanwhile()]);
    return { calm: p99Of(calm), meanwhile: p99Of(latencies) };
  });
  return { calmP99: rounds.map(({ calm }) => calm), roundP99: rounds.map(({ meanwhile }) => meanwhile) };
}

async function fill(service: ReturnType<typeof openMeasuredService>, store: Store) {
  await using _worker = service.startWorker();
  return await timeRound(service.databaseUrl, { store, startMs: performance.now() });
}

/** Milliseconds until a new identity with a violation is told of, while other identities change. */
async function measureChanges(store: Store, world: RegisterWorld): Promise<readonly number[]> {
  const waits: Promise<number>[] = [];
  const pending = new Map<string, (seenMs: number) => void>();
  const stopping = new AbortController();
  const { last } = await store.events.head(TENANT);
  const seeing = watch(store, { after: last, pending, signal: stopping.signal });
  const perProbe = (CHANGES_PER_SECOND * PROBE_EVERY_MS) / 1000;
  const start = performance.now();
  for (let change = 0; waits.length < PROBES; change++) {
    const dueMs = start + (change * 1000) / CHANGES_PER_SECOND;
    await sleep(Math.max(0, dueMs - performance.now()));
    await importRecords(store, [world.changedIdentity(change)]);
    if (change % perProbe !== 0) continue;
    const id = `probe-${waits.length}`;
    const { promise, resolve } = Promise.withResolvers<number>();
    pending.set(id, resolve);
    await importRecords(store, [world.newIdentity(id)]);
    const committedMs = performance.now();
    waits.push(promise.then((seenMs) => Math.max(0, seenMs - committedMs)));
  }
  const times = await Promise.all(waits);
  stopping.abort();
  await seeing;
  return times;
}

interface Watch {
  readonly after: number;
  readonly pending: Map<string, (seenMs: number) => void>;
  readonly signal: AbortSignal;
}

async function watch(store: Store, { after, pending, signal }: Watch): Promise<void> {
  for (let place = after; !signal.aborted; ) {
    const page = await store.events.read(TENANT, { after: place, types: ['sod.violation.opened'], limit: 250 });
    place = page.through;
    for (const { data } of page.events) {
      const { target }: { readonly target: { readonly id: string } } = JSON.parse(data);
      pending.get(target.id)?.(performance.now());
      pending.delete(target.id);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

async function numberOf(url: string, statement: string): Promise<number> {
  const [row] = await readRows<{ value: number | string }>(url, statement);
  return Number(row?.value ?? 0);
}

async function sizesOf(url: string): Promise<Pick<Measured, 'violations' | 'violationBytes' | 'eventBytes'>> {
  const number = (statement: string) => numberOf(url, statement);
  const bytesOf = (table: string) =>
    url.startsWith('sqlite:')
      ? number(`select sum(pgsize) as value from dbstat where name in
          (select name from sqlite_schema where tbl_name = '${table}')`)
      : number(`select pg_total_relation_size('${table}') as value`);
  const violations = await number('select count(*) as value from sod_violation');
  const opened = await number("select count(*) as value from event where type = 'sod.violation.opened'");
  const events = await number('select count(*) as value from event');
  // Almost all events are of violations.
  const eventBytes = ((await bytesOf('event')) * opened) / Math.max(1, events) / Math.max(1, violations);
  return { violations, violationBytes: (await bytesOf('sod_violation')) / Math.max(1, violations), eventBytes };
}

const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

function resultOf(measured: readonly Measured[]): SuiteResult {
  const row = (name: string, take: (each: Measured) => number) => [name, ...measured.map((each) => figure(take(each)))];
  const many = `${identities.toLocaleString('en-US')} identities × ${ASSIGNMENTS}, 10,000 policies`;
  const rows = [
    row('first filling, s', (each) => each.fillingSeconds),
    row('the same until its events are told, s', (each) => each.fillingToldSeconds),
    row('violations after it', (each) => each.violations),
    row('first scan of a worker, s', (each) => each.scanSeconds),
    row('one identity changed until its violation is told, median, ms', (each) => spreadOf(each.visibleMs).median),
    row('the same, p95, ms', (each) => p95(each.visibleMs)),
    row('one policy enforced until the register has its violations, s', (each) => each.policySeconds),
    row('the same until its events are told, s', (each) => each.policyToldSeconds),
    row('violations of that policy', (each) => each.violatedByPolicy),
    row(`p99 of 200 predicts a second, calm, median of ${ROUNDS} rounds, ms`, (each) => spreadOf(each.calmP99).median),
    row('the same while the register takes in that policy, ms', (each) => spreadOf(each.roundP99).median),
    row('bytes of a violation with its indexes', (each) => each.violationBytes),
    row('bytes of its event', (each) => each.eventBytes),
  ];
  const figures = measured.flatMap((each) => {
    const atMost = (name: string, value: number | Spread, goal: number) => ({
      name: `${name}, ${each.engine}`,
      ...{ spread: typeof value === 'number' ? spreadOf([value]) : value, goal, less: true as const },
    });
    return [
      atMost('first filling of the register, in first scans of a worker', each.fillingSeconds / each.scanSeconds, 3),
      atMost('p95 in ms from a change of an identity to its event', p95(each.visibleMs), 1_000),
      atMost('s until the register has a policy that almost all violate', each.policySeconds, 5),
      atMost(
        'p99 of predicts while the register takes in that policy, times calm',
        ratioOf(each.roundP99, each.calmP99),
        2,
      ),
    ];
  });
  return {
    name: 'register',
    tables: [{ header: [many, ...measured.map(({ engine }) => engine)], rows }],
    figures,
    raw: { seed: SEED, identities, assignments: ASSIGNMENTS, policies: POLICIES, measured },
  };
}
