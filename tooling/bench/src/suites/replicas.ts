import { startPostgres } from '@access-admin/harness';
import { runClosedLoop } from '../load/closed-loop.ts';
import { withConnections } from '../load/http-connection.ts';
import { cycleThrough, plainRequest, predictRequest } from '../load/predict-request.ts';
import { cpuSecondsOf } from '../measure/process-usage.ts';
import { type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure/rounds.ts';
import { requestToken } from '../servers/request-token.ts';
import { serveWorld } from '../servers/served-world.ts';
import { createWorld } from '../world/create-world.ts';

const SEED = 20_261_121;
const CONNECTIONS = 64;
const WARM_UP_MS = 5_000;
const ROUND_MS = 3_000;

interface Replica {
  readonly pid: number;
  readonly port: number;
}

export interface ReplicaLoad {
  readonly name: string;
  readonly replicas: readonly Replica[];
  /** The requests for the replica on a port. Their token is valid at each replica: they share their signing keys. */
  readonly requestsOf: (port: number) => readonly Buffer[];
}

interface Measured {
  readonly perSecond: number;
  /** Sum over all replicas. */
  readonly cpuMicros: number;
}

/** Predict with one and with two API processes on one PostgreSQL database, compared with one process on SQLite. */
export async function run(): Promise<SuiteResult> {
  const world = createWorld({ seed: SEED, entitlements: 50_000, policies: 10_000, identities: 2_000, questions: 4096 });
  const server = await startPostgres();
  if ('unavailable' in server) throw new Error(server.unavailable);
  await using _server = server;
  await using sqlite = await serveWorld(world);
  await using served = await serveWorld(world, { databaseUrl: (await server.createDatabase()).url });
  const second = await served.service.startApi();
  const first = { pid: served.api.pid, port: served.port };
  const other = { pid: second.pid, port: Number(new URL(second.baseAddress).port) };
  const requestsWith = (token: string) => (port: number) =>
    world.questions.map((question) => predictRequest({ port, token }, plainRequest(question)));
  const requestsOf = requestsWith(await requestToken(served));
  const loads: readonly ReplicaLoad[] = [
    {
      name: 'one API process, SQLite',
      replicas: [{ ...sqlite.api, port: sqlite.port }],
      requestsOf: requestsWith(await requestToken(sqlite)),
    },
    { name: 'one API process, PostgreSQL', replicas: [first], requestsOf },
    { name: 'two API processes, PostgreSQL', replicas: [first, other], requestsOf },
  ];
  for (const load of loads) await loadReplicas(load, WARM_UP_MS);
  const rounds = await takeTurns(loads, (load) => loadReplicas(load, ROUND_MS));
  return conclude(loads, rounds);
}

/** Loads replicas at once, each on its share of the connections. */
export async function loadReplicas({ replicas, requestsOf }: ReplicaLoad, milliseconds: number): Promise<Measured> {
  const cpu = () => replicas.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
  const before = cpu();
  const rounds = await Promise.all(
    replicas.map(({ port }) =>
      withConnections(port, CONNECTIONS / replicas.length, (connections) =>
        runClosedLoop(connections, cycleThrough(requestsOf(port)), { milliseconds }),
      ),
    ),
  );
  const answers = rounds.reduce((sum, round) => sum + round.answers, 0);
  const seconds = Math.max(...rounds.map((round) => round.seconds));
  return { perSecond: answers / seconds, cpuMicros: ((cpu() - before) * 1e6) / answers };
}

function conclude(loads: readonly ReplicaLoad[], rounds: readonly (readonly Measured[])[]): SuiteResult {
  const perSecond = rounds.map((measured) => measured.map((round) => round.perSecond));
  const cpuMicros = rounds.map((measured) => measured.map((round) => round.cpuMicros));
  const [sqlite = [], one = [], two = []] = cpuMicros;
  return {
    name: 'replicas',
    tables: [
      {
        header: [
          '10,000 policies, 64 connections',
          'requests/s, median (range)',
          'CPU µs per request of the processes',
        ],
        rows: loads.map(({ name }, at) => [
          name,
          spreadText(spreadOf(perSecond[at] ?? [])),
          spreadText(spreadOf(cpuMicros[at] ?? [])),
        ]),
      },
    ],
    figures: [
      {
        name: 'predicts of two replicas, times one, if each had a core: an estimate, by CPU per request',
        spread: ratioOf(
          one.map((micros) => 2 * micros),
          two,
        ),
      },
      {
        name: 'predicts of two replicas, times one, on two cores that the load and PostgreSQL share',
        spread: ratioOf(perSecond[2] ?? [], perSecond[1] ?? []),
        goal: 1.7,
      },
      { name: 'CPU per predict on SQLite, share of that on PostgreSQL', spread: ratioOf(sqlite, one) },
    ],
    raw: { seed: SEED, connections: CONNECTIONS, perSecond, cpuMicros },
  };
}
