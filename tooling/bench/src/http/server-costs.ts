import { cpuSecondsOf } from '../cpu-time.ts';
import { spreadOf, takeTurns } from '../measure.ts';
import { figure, spreadText } from '../report.ts';
import { runClosedLoop } from './closed-loop.ts';
import { withConnections } from './http-connection.ts';
import { predictRequest } from './predict-request.ts';

const ROUND_MS = 2000;
/** Compilers are at work for the first seconds of a process. */
const WARM_UP_MS = 5000;
const CONNECTIONS = 64;

/** A server under load: the requests are sent in turn. */
export interface LoadedServer {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly nextRequest: () => Buffer;
}

export interface ServerCosts {
  readonly name: string;
  /** By round. */
  readonly cpuMicros: readonly number[];
  readonly perSecond: readonly number[];
}

export function loadServer(
  server: { readonly name: string; readonly pid: number; readonly port: number },
  { token, bodies }: { readonly token: string; readonly bodies: readonly string[] },
): LoadedServer {
  const requests = bodies.map((body) => predictRequest({ port: server.port, token }, body));
  let turn = 0;
  return { ...server, nextRequest: () => requests[turn++ % requests.length] ?? Buffer.alloc(0) };
}

/** CPU per request and requests per second on 64 connections, each with one request under way. */
export async function measureCosts(servers: readonly LoadedServer[]): Promise<readonly ServerCosts[]> {
  for (const { port, nextRequest } of servers)
    await withConnections(port, CONNECTIONS, (connections) => runClosedLoop(connections, nextRequest, WARM_UP_MS));
  const rounds = await takeTurns(servers, ({ pid, port, nextRequest }) =>
    withConnections(port, CONNECTIONS, async (connections) => {
      const before = cpuSecondsOf(pid);
      const { answers, seconds } = await runClosedLoop(connections, nextRequest, ROUND_MS);
      return { cpuMicros: ((cpuSecondsOf(pid) - before) * 1e6) / answers, perSecond: answers / seconds };
    }),
  );
  return servers.map(({ name }, at) => ({
    name,
    cpuMicros: rounds[at]?.map(({ cpuMicros }) => cpuMicros) ?? [],
    perSecond: rounds[at]?.map(({ perSecond }) => perSecond) ?? [],
  }));
}

/** The rows of a table: server, CPU, requests per second, and how the CPU of the first compares. */
export function rowsOfCosts(costs: readonly ServerCosts[]): readonly (readonly string[])[] {
  const first = spreadOf(costs[0]?.cpuMicros ?? []).median;
  return costs.map(({ name, cpuMicros, perSecond }) => [
    name,
    spreadText(spreadOf(cpuMicros)),
    spreadText(spreadOf(perSecond)),
    figure(first / spreadOf(cpuMicros).median),
  ]);
}
