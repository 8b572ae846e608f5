import type { HttpAnswer } from './answer-reader.ts';
import type { HttpConnection } from './http-connection.ts';

/** Requests that are due at fixed times, whether or not earlier ones are answered. */
export interface Arrivals {
  readonly perSecond: number;
  readonly connections: readonly HttpConnection[];
  readonly nextRequest: () => Buffer;
  /** Throws on a wrong answer. */
  readonly check: (answer: HttpAnswer) => void;
}

/** Timers are exact to a millisecond only: shortly before an arrival the process polls. */
const AWAKE_MS = 2;

/**
 * Returns the latency of each request of each stream in ms, measured from its due time: waiting for a free connection
 * counts. Resolves when all requests are answered.
 */
export async function runOpenLoop(
  streams: readonly Arrivals[],
  milliseconds: number,
): Promise<readonly (readonly number[])[]> {
  const start = performance.now();
  const senders = streams.map((arrivals) => createSender(arrivals));
  const next = streams.map(() => 0);
  const dueMs = (at: number) => start + ((next[at] ?? 0) * 1000) / (streams[at]?.perSecond ?? 0);
  for (;;) {
    const now = performance.now();
    let nearestMs = start + milliseconds;
    for (const [at, sender] of senders.entries()) {
      for (; dueMs(at) <= now && dueMs(at) < start + milliseconds; next[at] = (next[at] ?? 0) + 1)
        sender.arrive(dueMs(at));
      nearestMs = Math.min(nearestMs, dueMs(at));
    }
    if (now >= start + milliseconds) break;
    await pause(nearestMs - now);
  }
  return Promise.all(senders.map((sender) => sender.finish()));
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    if (milliseconds > AWAKE_MS) setTimeout(resolve, milliseconds - AWAKE_MS);
    else setImmediate(resolve);
  });

function createSender({ connections, nextRequest, check }: Arrivals) {
  const free = [...connections];
  const waiting: number[] = [];
  const latencies: number[] = [];
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const send = async (connection: HttpConnection, arrivedMs: number) => {
    const answer = await connection.exchange(nextRequest());
    latencies.push(performance.now() - arrivedMs);
    check(answer);
    free.push(connection);
    sendNext();
  };
  const sendNext = () => {
    const [connection] = free;
    const [arrivedMs] = waiting;
    if (connection === undefined || arrivedMs === undefined) return;
    free.shift();
    waiting.shift();
    const run = send(connection, arrivedMs)
      .catch((error) => failures.push(error))
      .then(() => void running.delete(run));
    running.add(run);
  };
  return {
    arrive: (arrivedMs: number) => {
      waiting.push(arrivedMs);
      sendNext();
    },
    finish: async (): Promise<readonly number[]> => {
      while (running.size > 0) await Promise.all(running);
      if (failures.length > 0) throw failures[0];
      return latencies;
    },
  };
}
