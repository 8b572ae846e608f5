import type { RunningApi } from '@access-admin/harness';
import { predictRequest } from '../load/predict-request.ts';
import { type RequestShape, shapeRequests } from '../load/request-shapes.ts';
import { figure, type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, type Spread, spreadOf } from '../measure/rounds.ts';
import { requestToken } from '../servers/request-token.ts';
import { type ServedWorld, serveWorld } from '../servers/served-world.ts';
import { startBareServer } from '../servers/start-bare-server.ts';
import type { StartedServer } from '../servers/started-server.ts';
import { createWorld, identityId, type World } from '../world/create-world.ts';
import { type Costs, type LoadedServer, measureCosts, withOwnGenerator, withWrk } from './server-costs.ts';

const SIZE = { seed: 20_261_121, entitlements: 50_000, policies: 10_000, identities: 2_000, questions: 4096 };
const SAMPLED_ANSWERS = 64;
/** At most 2.1 times the CPU of the bare application. */
const OF_CPU = { goal: 1 / 2.1, atLeast: 1 / 2.1 };
const OF_REQUESTS = { goal: 0.45, atLeast: 0.45 };

interface Setting {
  readonly served: ServedWorld;
  readonly token: string;
  /** The answer of median length, which the other servers send. */
  readonly answer: string;
  readonly shapes: readonly RequestShape[];
}

interface Measured {
  readonly name: string;
  readonly own: Costs;
  /** Null if wrk did not measure it. */
  readonly wrk: Costs | null;
}

/** CPU per request and requests per second of a whole predict, by the shape of the request, beside other servers. */
export async function measureStackShares(): Promise<Omit<SuiteResult, 'name'>> {
  const world = createWorld(SIZE);
  await using served = await serveWorld(world);
  await using started = new AsyncDisposableStack();
  const setting: Setting = {
    served,
    token: await requestToken(served.api.baseAddress, served.service.credentials),
    answer: await medianAnswer(served, world),
    shapes: shapeRequests(world.questions, SIZE.seed),
  };
  const servers = await startServers(setting, started);
  const costs = await measureCosts([...servers.map(withOwnGenerator), ...withWrk(servers)]);
  const measured = servers.map(
    ({ name }, at): Measured => ({ name, own: costs[at] ?? NO_COSTS, wrk: costs[servers.length + at] ?? null }),
  );
  return {
    tables: [tableOf(measured)],
    figures: figuresOf(measured),
    raw: { stackShares: { ...SIZE, answerBytes: setting.answer.length, measured } },
  };
}

const NO_COSTS: Costs = { cpuMicros: [], perSecond: [] };

const serverOf = (running: RunningApi): StartedServer => ({ running, port: Number(new URL(running.baseAddress).port) });

/** The bare server first, then the service once for each shape of request. */
async function startServers(
  { served, token, answer, shapes }: Setting,
  started: AsyncDisposableStack,
): Promise<readonly LoadedServer[]> {
  const load = (name: string, { running, port }: StartedServer, requests: RequestShape['requests']): LoadedServer => ({
    name,
    port,
    pid: running.pid,
    requests: requests.map((request) => predictRequest({ port, token }, request)),
  });
  const bare = await startBareServer(answer);
  started.use(bare.running);
  const own = serverOf(served.api);
  return [
    load('bare Hono application', bare, shapes[0]?.requests ?? []),
    ...shapes.map((shape) => load(shape.name, own, shape.requests)),
  ];
}

function tableOf(measured: readonly Measured[]): SuiteResult['tables'][number] {
  const [bare] = measured;
  const share = (a: readonly number[] = [], b: readonly number[] = []) => figure(ratioOf(a, b).median);
  return {
    header: [
      '10,000 policies',
      'CPU µs per request',
      'share of bare',
      'wrk: CPU µs',
      'share of bare',
      'wrk: requests/s',
      'share of bare',
    ],
    rows: measured.map(({ name, own, wrk }) => [
      name,
      spreadText(spreadOf(own.cpuMicros)),
      share(bare?.own.cpuMicros, own.cpuMicros),
      ...(wrk === null
        ? ['', '', '', '']
        : [
            spreadText(spreadOf(wrk.cpuMicros)),
            share(bare?.wrk?.cpuMicros, wrk.cpuMicros),
            spreadText(spreadOf(wrk.perSecond)),
            share(wrk.perSecond, bare?.wrk?.perSecond),
          ]),
    ]),
  };
}

function figuresOf(measured: readonly Measured[]): SuiteResult['figures'] {
  const [bare, drawn] = measured;
  const cpuShareOf = ({ own }: Measured) => ratioOf(bare?.own.cpuMicros ?? [], own.cpuMicros);
  const wrkShareOf = ({ wrk }: Measured) => ratioOf(wrk?.perSecond ?? [], bare?.wrk?.perSecond ?? []);
  if (bare === undefined || drawn === undefined) return [];
  const byWrk = measured.slice(1).filter(({ wrk }) => wrk !== null);
  return [
    { name: 'share of bare Hono application, CPU per request', spread: cpuShareOf(drawn), ...OF_CPU },
    { name: 'the same, the worst shape', spread: lowest(measured.slice(1).map(cpuShareOf)), ...OF_CPU },
    ...(byWrk.length === 0
      ? []
      : [
          { name: 'share of bare Hono application, requests/s under wrk', spread: wrkShareOf(drawn), ...OF_REQUESTS },
          { name: 'the same, the worst shape', spread: lowest(byWrk.map(wrkShareOf)), ...OF_REQUESTS },
        ]),
  ];
}

const lowest = (spreads: readonly Spread[]): Spread =>
  spreads.toSorted((a, b) => a.median - b.median)[0] ?? spreadOf([]);

async function medianAnswer({ api }: ServedWorld, { questions }: World): Promise<string> {
  const predictions = await Promise.all(
    questions
      .slice(0, SAMPLED_ANSWERS)
      .map(({ identity, accessRefs }) =>
        api.client.sodViolations.predict({ identityId: identityId(identity), accessRefs }),
      ),
  );
  const answers = predictions.map((prediction) => JSON.stringify(prediction));
  return answers.toSorted((a, b) => a.length - b.length)[answers.length >> 1] ?? '';
}
