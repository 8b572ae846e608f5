import { runClosedLoop } from '../load/closed-loop.ts';
import { withConnections } from '../load/http-connection.ts';
import { predictRequest } from '../load/predict-request.ts';
import { cpuSecondsOf } from '../measure/process-usage.ts';
import { figure, spreadText } from '../measure/report.ts';
import { ROUNDS, spreadOf } from '../measure/rounds.ts';

const TURN_MS = 500;
const TURNS = 4;
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

/**
 * CPU per request and requests per second on 64 connections, each with one request under way. A round adds up short turns:
 * a server that waits long for its next loses its memory to the kernel, and pays for it again.
 */
export async function measureCosts(servers: readonly LoadedServer[]): Promise<readonly ServerCosts[]> {
  for (const server of servers) await runTurn(server, WARM_UP_MS);
  const costs = servers.map(({ name }) => ({ name, cpuMicros: [] as number[], perSecond: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    const sums = servers.map(() => ({ cpuSeconds: 0, answers: 0, seconds: 0 }));
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [at, server] of servers.entries()) {
        const { cpuSeconds, answers, seconds } = await runTurn(server, TURN_MS);
        const sum = sums[at];
        if (sum === undefined) continue;
        sum.cpuSeconds += cpuSeconds;
        sum.answers += answers;
        sum.seconds += seconds;
      }
    }
    for (const [at, { cpuSeconds, answers, seconds }] of sums.entries()) {
      costs[at]?.cpuMicros.push((cpuSeconds * 1e6) / answers);
      costs[at]?.perSecond.push(answers / seconds);
    }
  }
  return costs;
}

const runTurn = ({ pid, port, nextRequest }: LoadedServer, milliseconds: number) =>
  withConnections(port, CONNECTIONS, async (connections) => {
    const before = cpuSecondsOf(pid);
    const round = await runClosedLoop(connections, nextRequest, milliseconds);
    return { ...round, cpuSeconds: cpuSecondsOf(pid) - before };
  });

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
