import { type LoadRound, runClosedLoop } from '../load/closed-loop.ts';
import { withConnections } from '../load/http-connection.ts';
import { cycleThrough } from '../load/predict-request.ts';
import { hasWrk, runWrk, writeRequests } from '../load/run-wrk.ts';
import { cpuSecondsOf } from '../measure/process-usage.ts';
import { ROUNDS } from '../measure/rounds.ts';

const TURN_SECONDS = 1;
const TURNS = 2;
/** Node compiles hot functions during the first seconds of a process. */
const WARM_UP_SECONDS = 5;
const CONNECTIONS = 64;

/** A server and the requests sent to it. */
export interface LoadedServer {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly requests: readonly Buffer[];
}

/** Values by round. */
export interface Costs {
  readonly cpuMicros: readonly number[];
  readonly perSecond: readonly number[];
}

/** Loads a server for some seconds on 64 connections, each with one request under way. */
export interface Contestant {
  readonly server: LoadedServer;
  readonly send: (seconds: number) => Promise<LoadRound>;
}

export function withOwnGenerator(server: LoadedServer): Contestant {
  const next = cycleThrough(server.requests);
  return {
    server,
    send: (seconds) =>
      withConnections(server.port, CONNECTIONS, (connections) =>
        runClosedLoop(connections, next, { milliseconds: seconds * 1000 }),
      ),
  };
}

/** Contestants that are loaded by wrk; empty if wrk is not installed. */
export function withWrk(servers: readonly LoadedServer[]): readonly Contestant[] {
  if (!hasWrk()) {
    process.stderr.write('wrk is not on the PATH: measured with our own load generator only.\n');
    return [];
  }
  return servers.map((server) => {
    const path = writeRequests(server.requests);
    return { server, send: (seconds) => runWrk(server.port, path, seconds) };
  });
}

/** Measures CPU per request and requests per second. A round consists of short turns, so that noise affects all equally. */
export async function measureCosts(
  contestants: readonly Contestant[],
  rounds: number = ROUNDS,
): Promise<readonly Costs[]> {
  const warm = new Set<number>();
  for (const contestant of contestants) {
    if (!warm.has(contestant.server.pid)) await measureLoad(contestant, WARM_UP_SECONDS);
    warm.add(contestant.server.pid);
  }
  const costs = contestants.map((contestant) => ({ contestant, cpuMicros: [] as number[], perSecond: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    const sums = costs.map((cost) => ({ ...cost, cpuSeconds: 0, answers: 0, seconds: 0 }));
    for (let turn = 0; turn < TURNS; turn++)
      for (const sum of sums) {
        const { cpuSeconds, answers, seconds } = await measureLoad(sum.contestant, TURN_SECONDS);
        sum.cpuSeconds += cpuSeconds;
        sum.answers += answers;
        sum.seconds += seconds;
      }
    for (const { cpuMicros, perSecond, cpuSeconds, answers, seconds } of sums) {
      cpuMicros.push((cpuSeconds * 1e6) / answers);
      perSecond.push(answers / seconds);
    }
  }
  return costs.map(({ cpuMicros, perSecond }) => ({ cpuMicros, perSecond }));
}

/** Loads a server and measures its CPU time; that of the generator is not included. */
export async function measureLoad({ server, send }: Contestant, seconds: number) {
  const before = cpuSecondsOf(server.pid);
  const round = await send(seconds).catch((error) => {
    throw new Error(`${server.name}: ${error}`);
  });
  return { ...round, cpuSeconds: cpuSecondsOf(server.pid) - before };
}
