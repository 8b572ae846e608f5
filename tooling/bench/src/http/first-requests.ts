import { setTimeout as delay } from 'node:timers/promises';
import { runClosedLoop } from '../load/closed-loop.ts';
import { withConnections } from '../load/http-connection.ts';
import { cycleThrough } from '../load/predict-request.ts';
import { hasWrk, runWrk, writeRequests } from '../load/run-wrk.ts';
import { cpuSecondsOf } from '../measure/process-usage.ts';
import { figure, type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure/rounds.ts';
import type { StartedServer } from '../servers/started-server.ts';

const REQUESTS = 30_000;
const WRK_SECONDS = 10;
const CONNECTIONS = 64;
const ROUNDS = { counted: 3, warmUp: 0 };

/** Starts a server for one measurement, with the requests for it. */
export type StartFresh = () => Promise<StartedServer & { readonly requests: readonly Buffer[] }>;

/** Measures the CPU of a process for its first 30,000 requests, and its rate in its first ten seconds under wrk. */
export async function measureFirstRequests(bare: StartFresh, own: StartFresh): Promise<Omit<SuiteResult, 'name'>> {
  const [bareMicros = [], ownMicros = []] = await takeTurns([bare, own], cpuMicrosOfFirst, ROUNDS);
  const [barePerSecond = [], ownPerSecond = []] = hasWrk()
    ? await takeTurns([bare, own], perSecondOfFirst, ROUNDS)
    : [];
  const row = (name: string, micros: readonly number[], perSecond: readonly number[]) => [
    name,
    spreadText(spreadOf(micros)),
    figure(ratioOf(bareMicros, micros).median),
    spreadText(spreadOf(perSecond)),
    figure(ratioOf(perSecond, barePerSecond).median),
  ];
  return {
    tables: [
      {
        header: [
          'a process that has just started',
          'CPU µs per request, first 30,000',
          'share of bare',
          'wrk, requests/s in the first 10 s',
          'share of bare',
        ],
        rows: [row('bare Hono application', bareMicros, barePerSecond), row('access-admin', ownMicros, ownPerSecond)],
      },
    ],
    figures: [
      {
        name: 'share of bare Hono application, first 30,000 requests of a process',
        spread: ratioOf(bareMicros, ownMicros),
      },
      { name: 'the same, first 10 s under wrk, requests/s', spread: ratioOf(ownPerSecond, barePerSecond) },
    ],
    raw: { firstRequests: { requests: REQUESTS, bareMicros, ownMicros, barePerSecond, ownPerSecond } },
  };
}

export async function cpuMicrosOfFirst(start: StartFresh): Promise<number> {
  const { port, running, requests } = await start();
  await using _running = running;
  return await withConnections(port, CONNECTIONS, async (connections) => {
    const before = cpuSecondsOf(running.pid);
    const { answers } = await runClosedLoop(connections, cycleThrough(requests), { requests: REQUESTS });
    return ((cpuSecondsOf(running.pid) - before) * 1e6) / answers;
  });
}

async function perSecondOfFirst(start: StartFresh): Promise<number> {
  const { port, running, requests } = await start();
  await using _running = running;
  // wrk does not wait for a server that is still starting.
  await withConnections(port, 1, () => delay(0));
  const { answers, seconds } = await runWrk(port, writeRequests(requests), WRK_SECONDS);
  return answers / seconds;
}
