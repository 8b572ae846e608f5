import { cpuMicrosOfFirst } from '../http/first-requests.ts';
import { type LoadedServer, measureCosts, withOwnGenerator, withWrk } from '../http/server-costs.ts';
import { predictRequest } from '../load/predict-request.ts';
import { type RequestShape, shapeRequests } from '../load/request-shapes.ts';
import { requestToken } from '../servers/request-token.ts';
import { type ServedWorld, serveWorld } from '../servers/served-world.ts';
import { loadsOf, SIZE as SESSION_SIZE } from '../sign-in/session-cost.ts';
import { createWorld } from '../world/create-world.ts';
import type { Checkout } from './checkout.ts';
import { type Compared, collectRounds } from './ratios.ts';

const SIZE = { seed: 20_261_121, entitlements: 50_000, identities: 2_000, questions: 4096 };

interface Options {
  readonly policies: number;
  readonly rounds: number;
  /** By default SQLite. */
  readonly databaseUrlOf?: (checkout: Checkout) => Promise<string>;
}

/** A predict over HTTP in every shape, by our load generator (drawn and plain requests only) and by wrk. */
export async function compareHttp(checkouts: readonly Checkout[], options: Options): Promise<readonly Compared[]> {
  await using started = new AsyncDisposableStack();
  const world = createWorld({ ...SIZE, policies: options.policies });
  const shapes = shapeRequests(world.questions, SIZE.seed);
  const servers: LoadedServer[][] = [];
  for (const { folder, ...checkout } of checkouts) {
    const databaseUrl = await options.databaseUrlOf?.({ folder, ...checkout });
    const served = await serveWorld(world, { checkout: folder, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
    started.use(served);
    const token = await requestToken(served);
    servers.push(shapes.map((shape) => load(served, token, shape)));
  }
  const pairs = shapes.map((_, at) => servers.flatMap((ofCheckout) => ofCheckout[at] ?? []));
  const own = pairs.slice(0, 2).flat().map(withOwnGenerator);
  const wrk = withWrk(pairs.flat());
  const costs = await measureCosts([...own, ...wrk], options.rounds);
  return Array.from({ length: costs.length / 2 }, (_, pair) => {
    const [before, after] = costs.slice(2 * pair, 2 * pair + 2);
    const name = [...own, ...wrk][2 * pair]?.server.name ?? '';
    const generator = 2 * pair < own.length ? 'own generator' : 'wrk';
    const title = `predict, ${options.policies.toLocaleString('en-US')} policies, ${name}, ${generator}`;
    return [
      { figure: `${title}, CPU µs`, before: before?.cpuMicros ?? [], after: after?.cpuMicros ?? [] },
      { figure: `${title}, requests/s`, before: before?.perSecond ?? [], after: after?.perSecond ?? [] },
    ];
  }).flat();
}

const load = ({ port, api }: ServedWorld, token: string, { name, requests }: RequestShape): LoadedServer => ({
  ...{ name, port, pid: api.pid },
  requests: requests.map((request) => predictRequest({ port, token }, request)),
});

/** A predict by a token and by a session, without and with the headers of a browser. */
export async function compareSessions(checkouts: readonly Checkout[], rounds: number): Promise<readonly Compared[]> {
  await using started = new AsyncDisposableStack();
  const world = createWorld(SESSION_SIZE);
  const loads: (readonly LoadedServer[])[] = [];
  for (const { folder } of checkouts)
    loads.push(await loadsOf(started.use(await serveWorld(world, { checkout: folder })), world));
  const [before = [], after = []] = loads;
  const costs = await measureCosts([...before, ...after].map(withOwnGenerator), rounds);
  return before.map(({ name }, at) => ({
    figure: `predict ${name}, CPU µs`,
    before: costs[at]?.cpuMicros ?? [],
    after: costs[before.length + at]?.cpuMicros ?? [],
  }));
}

/** The first 30,000 requests of a process. */
export async function compareFirstRequests(
  checkouts: readonly Checkout[],
  rounds: number,
): Promise<readonly Compared[]> {
  await using started = new AsyncDisposableStack();
  const world = createWorld({ ...SIZE, policies: 10_000 });
  const [drawn] = shapeRequests(world.questions, SIZE.seed);
  const starts: (() => Promise<number>)[] = [];
  for (const { folder } of checkouts) {
    const served = started.use(await serveWorld(world, { checkout: folder }));
    const token = await requestToken(served);
    starts.push(() =>
      cpuMicrosOfFirst(async () => {
        const running = await served.service.startApi();
        const port = Number(new URL(running.baseAddress).port);
        return { running, port, requests: drawn?.requests.map((each) => predictRequest({ port, token }, each)) ?? [] };
      }),
    );
  }
  return await collectRounds(
    starts,
    async (start) => ({ 'predict, first 30,000 requests of a process, CPU µs': await start() }),
    rounds,
  );
}
