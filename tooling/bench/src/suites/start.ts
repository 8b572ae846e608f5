import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT, startApp, startProcess } from '@access-admin/harness';
import { openConnections, withConnections } from '../load/http-connection.ts';
import { plainRequest, predictRequest } from '../load/predict-request.ts';
import { cpuSecondsOf } from '../measure/process-usage.ts';
import { type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure/rounds.ts';
import { requestToken } from '../servers/request-token.ts';
import { type ServedWorld, serveWorld } from '../servers/served-world.ts';
import { createWorld } from '../world/create-world.ts';

const SEED = 20_261_121;
const POLICIES = 100_000;
const WAIT_MS_MAX = 60_000;
const POLL_MS = 1;
const IDLE_MS = 500;

interface Start {
  readonly readyMs: number;
  readonly answeredMs: number;
}

/** Time from the start of an API process to its readiness and to its first predict, compared with `node -e 0`. */
export async function run(): Promise<SuiteResult> {
  const size = { seed: SEED, entitlements: 50_000, policies: POLICIES, identities: 100, questions: 1 };
  const world = createWorld(size);
  await using served = await serveWorld(world);
  const { port } = served;
  // A token stays valid after a restart on the same address.
  const token = await requestToken(served.api.baseAddress, served.service.credentials);
  const [question = { identity: 0, accessRefs: [] }] = world.questions;
  const request = predictRequest({ port, token }, plainRequest(question));
  await prepare(served, request);

  const [node = [], api = []] = await takeTurns([startNode, () => startApi(served, request)], (start) => start());
  const nodeMs = node.map(({ readyMs }) => readyMs);
  const readyMs = api.map(({ readyMs }) => readyMs);
  const answeredMs = api.map(({ answeredMs }) => answeredMs);
  return {
    name: 'start',
    tables: [
      {
        header: ['from the start of the process, 100,000 policies', 'ms, median (range)'],
        rows: [
          ['node -e 0, to its end', spreadText(spreadOf(nodeMs))],
          ['API, to /readyz', spreadText(spreadOf(readyMs))],
          ['API, to the first predict', spreadText(spreadOf(answeredMs))],
        ],
      },
    ],
    figures: [
      { name: 'start to ready, times node -e 0', spread: ratioOf(readyMs, nodeMs), goal: 8, atLeast: 12, less: true },
      { name: 'start to the first predict, ms', spread: spreadOf(answeredMs), goal: 3_000, less: true },
    ],
    raw: { seed: SEED, policies: POLICIES, nodeMs, readyMs, answeredMs },
  };
}

/** Answers a predict, waits until the service has nothing more to do, and stops it. */
export async function prepare({ api, port }: ServedWorld, request: Buffer): Promise<void> {
  await withConnections(port, 1, async ([connection]) => connection?.exchange(request));
  let before = Number.NaN;
  for (let now = cpuSecondsOf(api.pid); now !== before; now = cpuSecondsOf(api.pid)) {
    before = now;
    await delay(IDLE_MS);
  }
  await api.stop();
}

async function startNode(): Promise<Start> {
  const start = performance.now();
  await startProcess([process.execPath, '-e', '0'], { env: {}, cwd: '/' }).ended;
  const readyMs = performance.now() - start;
  return { readyMs, answeredMs: readyMs };
}

/** Starts the API of a checkout on the database of a served world, and stops it again. */
export async function startApi({ service, port }: ServedWorld, request: Buffer, checkout = ROOT): Promise<Start> {
  const env = { DATABASE_URL: service.databaseUrl, PORT: String(port) };
  const ready = Buffer.from(`GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  const start = performance.now();
  const running = startApp('api', { env, checkout, cwd: service.folder, outputPath: join(service.folder, 'api.log') });
  try {
    const [connection] = await openConnections(port, 1);
    while ((await connection?.exchange(ready))?.status !== 200) {
      if (performance.now() - start > WAIT_MS_MAX) throw new Error(`the API is not ready:\n${running.output()}`);
      await delay(POLL_MS);
    }
    const readyMs = performance.now() - start;
    const answer = await connection?.exchange(request);
    if (answer?.status !== 200) throw new Error(`${answer?.status}: ${Buffer.concat(answer?.parts ?? [])}`);
    return { readyMs, answeredMs: performance.now() - start };
  } finally {
    await running.stop();
  }
}
