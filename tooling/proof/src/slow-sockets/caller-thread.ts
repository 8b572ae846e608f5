import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createHistogram } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { GRANT } from '../load/company.ts';

/** Input of the thread of the well-behaved callers. */
export interface CallersData {
  readonly baseAddress: string;
  readonly token: string;
  readonly callers: number;
  readonly everyMs: number;
}

/** Figures of the callers since the last question. */
export interface CallerFigures {
  readonly calls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Answers that differ from the first one, and calls without an answer. */
  readonly wrong: readonly string[];
}

const { baseAddress, token, callers, everyMs } = workerData as CallersData;
const agent = new Agent({ keepAlive: true, maxSockets: callers });
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const latencies = createHistogram();
let wrong: string[] = [];
let rightAnswer: string | null = null;

/** Without the SDK, which would add several milliseconds to the 99th percentile. */
async function predict(): Promise<string> {
  const sent = request(`${baseAddress}/sod-violations/v1/predict`, { agent, method: 'POST', headers });
  sent.end(JSON.stringify(GRANT));
  const [answer] = await once(sent, 'response');
  // Only the timestamp differs between answers.
  return `${answer.statusCode} ${(await text(answer)).replace(/"asOf":"[^"]*"/, '')}`;
}

async function call(fromMs: number): Promise<void> {
  const answer = await predict().catch(String);
  rightAnswer ??= answer;
  if (answer !== rightAnswer || !answer.startsWith('200 ')) wrong.push(answer.slice(0, 200));
  latencies.record(Math.max(1, Math.round((performance.now() - fromMs) * 1000)));
}

/** Calls at a steady pace. A delayed call is measured from the time when it was due. */
async function keepCalling(): Promise<void> {
  for (let dueMs = performance.now() + Math.random() * everyMs; ; dueMs += everyMs) {
    const lateMs = performance.now() - dueMs;
    // Late timers of this thread do not count as latency of the service.
    if (lateMs < 0) await new Promise((resolve) => setTimeout(resolve, -lateMs));
    await call(lateMs < 0 ? performance.now() : dueMs);
  }
}

for (let caller = 0; caller < callers; caller++) void keepCalling();

parentPort?.on('message', () => {
  const [p50Ms, p99Ms] = [latencies.percentile(50) / 1000, latencies.percentile(99) / 1000];
  const figures: CallerFigures = { calls: latencies.count, p50Ms, p99Ms, maxMs: latencies.max / 1000, wrong };
  parentPort?.postMessage(figures);
  latencies.reset();
  wrong = [];
});
