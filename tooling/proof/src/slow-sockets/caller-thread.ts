import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** Input of the thread of the well-behaved callers. */
export interface CallersData {
  readonly port: number;
  readonly token: string;
  readonly callers: number;
  readonly everyMs: number;
  readonly body: string;
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

const { port, token, callers, everyMs, body } = workerData as CallersData;
const agent = new Agent({ keepAlive: true, maxSockets: callers });
const headers = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
};
let latenciesMs: number[] = [];
let wrong: string[] = [];
let rightAnswer: string | null = null;

function predict(): Promise<string> {
  return new Promise((resolve, reject) => {
    const path = '/sod-violations/v1/predict';
    const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      // Only the timestamp differs between answers.
      const acknowledgements = () => text.replace(/"asOf":"[^"]*"/, '');
      answer.on('end', () => resolve(`${answer.statusCode} ${acknowledgements()}`)).on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function call(fromMs: number): Promise<void> {
  const answer = await predict().catch(String);
  latenciesMs.push(performance.now() - fromMs);
  rightAnswer ??= answer;
  if (answer !== rightAnswer || !answer.startsWith('200 ')) wrong.push(answer.slice(0, 200));
}

/** Calls at a steady pace. A delayed call is measured from the time when it was due. */
async function keepCalling(): Promise<void> {
  for (let dueMs = performance.now() + Math.random() * everyMs; ; dueMs += everyMs) {
    const lateMs = performance.now() - dueMs;
    if (lateMs < 0) {
      await new Promise((resolve) => setTimeout(resolve, -lateMs));
      // Late timers of this thread do not count as latency of the service.
      await call(performance.now());
    } else await call(dueMs);
  }
}

for (let caller = 0; caller < callers; caller++) void keepCalling();

parentPort?.on('message', () => {
  const sorted = latenciesMs.sort((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const figures: CallerFigures = { calls: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), wrong };
  latenciesMs = [];
  wrong = [];
  parentPort?.postMessage(figures);
});
