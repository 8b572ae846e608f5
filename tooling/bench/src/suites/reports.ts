import { deepStrictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type Figure, figure, type SuiteResult } from '../measure/report.ts';
import { ratioOf, type Spread, spreadOf } from '../measure/rounds.ts';
import { openConflictJoin } from '../reports/conflict-join.ts';
import { type Made, makeDryRun, makeScan } from '../reports/make-reports.ts';
import { createPopulationEvaluation, evaluateWorld } from '../reports/population-evaluation.ts';
import { openPredictLoad, p99Of } from '../reports/predict-latency.ts';
import { makeScans } from '../reports/scan-load.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { requestToken } from '../servers/request-token.ts';
import { createPopulation, seedStore } from '../world/seed-population.ts';

const SEED = 20_261_121;
const ASSIGNMENTS = 50;
const POLICIES = 10_000;
const ROUNDS = 3;
const JOINED = 500;
const SHARDS = 4;
const QUIET_MS = 5_000;
/** Size of the population; the environment variable makes it smaller. */
const identities = Number(process.env['BENCH_IDENTITIES'] ?? 1_000_000);

interface Round {
  readonly joinMicros: number;
  readonly evaluateMicros: number;
  readonly reevaluateMicros: number;
  readonly scan: Made;
  readonly dryRun: Made;
  readonly quietP99: number;
  /** While another process keeps a core busy with an endless loop. */
  readonly loopP99: number;
  readonly busyP99: number;
}

/** Time of reports over a whole population, compared with a SQL join, and latency of predicts while they are made. */
export async function run(): Promise<SuiteResult> {
  const population = createPopulation({ seed: SEED, identities, assignments: ASSIGNMENTS, policies: POLICIES });
  await using service = openMeasuredService();
  await seedStore(service.databaseUrl, population.records);
  await using api = await service.startApi();
  await using _worker = service.startWorker();
  const token = await requestToken({ service, api });
  const { bodyOf } = population;
  const predict = await openPredictLoad({ service, api, identities, bodyOf });
  const predictP99 = async (milliseconds: number) => p99Of(await predict(milliseconds));
  const rounds: Round[] = [];
  const sample = openConflictJoin({ seed: SEED, identities: JOINED, assignments: ASSIGNMENTS, policies: POLICIES });
  for (const [identity, violated] of evaluateWorld(sample.world).entries())
    deepStrictEqual(violated, sample.violatedOf(identity));
  const inMemory = createPopulationEvaluation(sample.world, { seed: SEED, shards: SHARDS, assignments: ASSIGNMENTS });
  await predictP99(QUIET_MS);
  // The worker has no data in memory yet.
  const first = await makeScan(api.client);
  for (let round = 0; round <= ROUNDS; round++) {
    const joinMicros = sample.microsPerIdentity();
    const [evaluateMicros, reevaluateMicros] = [inMemory.scanMicros(), inMemory.rescanMicros()];
    const scan = await makeScan(api.client);
    const dryRun = await makeDryRun(api.client, round);
    const quietP99 = await predictP99(QUIET_MS);
    const loopP99 = await besideLoop(() => predictP99(QUIET_MS));
    const scanning = makeScans({ baseAddress: api.baseAddress, token, milliseconds: QUIET_MS });
    const busyP99 = await predictP99(QUIET_MS);
    await scanning;
    // The first round warms up.
    if (round > 0)
      rounds.push({ joinMicros, evaluateMicros, reevaluateMicros, scan, dryRun, quietP99, loopP99, busyP99 });
  }
  sample.close();
  return resultOf(rounds, first);
}

async function besideLoop<T>(work: () => Promise<T>): Promise<T> {
  const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  try {
    return await work();
  } finally {
    loop.kill('SIGKILL');
  }
}

/** Values by round: µs per identity, and 99th percentiles in ms. */
interface Measured {
  readonly join: readonly number[];
  readonly evaluated: readonly number[];
  readonly reevaluated: readonly number[];
  readonly firstScan: readonly number[];
  readonly scan: readonly number[];
  readonly dryRun: readonly number[];
  readonly quiet: readonly number[];
  readonly loop: readonly number[];
  readonly busy: readonly number[];
}

function resultOf(rounds: readonly Round[], first: Made): SuiteResult {
  const micros = ({ seconds }: Made) => (seconds * 1e6) / identities;
  const of = (take: (round: Round) => number) => rounds.map(take);
  const measured: Measured = {
    join: of((r) => r.joinMicros),
    evaluated: of((r) => r.evaluateMicros),
    reevaluated: of((r) => r.reevaluateMicros),
    firstScan: of(() => micros(first)),
    scan: of((r) => micros(r.scan)),
    dryRun: of((r) => micros(r.dryRun)),
    quiet: of((r) => r.quietP99),
    loop: of((r) => r.loopP99),
    busy: of((r) => r.busyP99),
  };
  return {
    name: 'reports',
    tables: tablesOf(measured),
    figures: figuresOf(measured),
    raw: { seed: SEED, identities, assignments: ASSIGNMENTS, policies: POLICIES, first, rounds },
  };
}

function tablesOf(measured: Measured): SuiteResult['tables'] {
  const many = `${identities.toLocaleString('en-US')} identities × ${ASSIGNMENTS}, 10,000 policies`;
  const cell = (values: readonly number[]) => figure(spreadOf(values).median);
  // One microsecond per identity is one second for a million identities.
  const row = (name: string, values: readonly number[]) => [name, cell(values), cell(values)];
  return [
    {
      header: [`µs per identity: ${many}`, 'median', 'seconds for a million'],
      rows: [
        row('SQL join in memory, prepared, for each of 500 identities', measured.join),
        row(
          `evaluating all policies, ${(SHARDS * 0x10000).toLocaleString('en-US')} identities in memory`,
          measured.evaluated,
        ),
        row('evaluating one changed policy, the same', measured.reevaluated),
        row('first scan of a worker: everything read, evaluated and stored, waiting included', measured.firstScan),
        row('later scans: what has changed read, evaluated and stored, waiting included', measured.scan),
        row('dry-run of one changed policy, the same', measured.dryRun),
      ],
    },
    {
      header: ['ms: p99 of 200 predicts/s over HTTP', 'median'],
      rows: [
        ['nothing else', cell(measured.quiet)],
        ['beside a process that only keeps a core busy', cell(measured.loop)],
        ['while one scan after the other is made', cell(measured.busy)],
      ],
    },
  ];
}

function figuresOf({
  join,
  evaluated,
  reevaluated,
  firstScan,
  scan,
  dryRun,
  quiet,
  loop,
  busy,
}: Measured): readonly Figure[] {
  const atLeast = (name: string, spread: Spread) => ({
    name: `${name}, times as fast as the SQL join`,
    spread,
    goal: 100,
  });
  const atMost = (name: string, spread: Spread, goal: number) => ({ name, spread, goal, less: true as const });
  return [
    atLeast('evaluating a population', ratioOf(join, evaluated)),
    atLeast('scan report', ratioOf(join, scan)),
    atLeast('first scan report of a worker', ratioOf(join, firstScan)),
    atMost('evaluating one changed policy, in evaluations of all', ratioOf(reevaluated, evaluated), 1 / 500),
    atMost('dry-run report of one policy, in scan reports', ratioOf(dryRun, scan), 1 / 500),
    { name: 'p99 of predicts beside a busy loop, in those without', spread: ratioOf(loop, quiet) },
    atMost('p99 of predicts while scans are made, in those without', ratioOf(busy, quiet), 2),
  ];
}
