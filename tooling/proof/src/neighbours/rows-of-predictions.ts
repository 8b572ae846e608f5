import { openRawConnection } from '../http/raw-connection.ts';
import {
  entitlementRefs,
  entitlements,
  identity,
  policies,
  requestWithWindows,
  SAMPLE_RECORDS,
  STAFF,
} from './attack-models.ts';
import { type Attacker, keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';
import { sampleRefs } from './rows-of-checks.ts';

const EXPLAINED = '/sod-violations/v1/predict?include=via,remediation';
const REMEDIED = '/sod-violations/v1/predict?include=remediation';
const SILENCE_MS = 120_000;

const pipelined: NeighbourRow = {
  id: '3',
  title: 'long predictions kept alive by requests behind them',
  prepare: async (attacker) => {
    const { load, warmUp, pick } = attacker;
    const count = pick(10_000, 1_000);
    const model = [...entitlements(500), STAFF, identity('i-0'), ...policies({ count, items: 50, drawnFrom: 500 })];
    await load(model);
    await warmUp('i-0');
    const bodies = [false, true].map((isWithinLimit) => requestWithWindows('i-0', entitlementRefs(500), isWithinLimit));
    const everyMs = pick(8_000, 1_000);
    return {
      run: () =>
        keepSending(attacker, 3, (number) => pipeline(attacker, bodies[number % bodies.length] ?? '', everyMs)),
    };
  },
};

/** Sends a prediction and then, again and again on the same connection, a request for the health. */
async function pipeline({ port, token, signal, count }: Attacker, body: string, everyMs: number): Promise<void> {
  const connection = openRawConnection(port, SILENCE_MS);
  const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  const framing = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const timer = setInterval(() => void connection.write(Buffer.from(`${head('GET', '/healthz')}\r\n`)), everyMs);
  signal.addEventListener('abort', connection.close);
  try {
    await connection.write(Buffer.from(`${head('POST', REMEDIED)}${framing}\r\n${body}`));
    const answer = await connection.read(false).catch(() => null);
    await count(answer?.status ?? 0);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', connection.close);
    connection.close();
  }
}

const explainedAtOnce: NeighbourRow = {
  id: '10',
  title: '950 explained predictions at once',
  prepare: async (attacker) => {
    const { load, warmUp, pick, send } = attacker;
    await load(SAMPLE_RECORDS);
    await warmUp('i-0001');
    const bodies = [false, true].map((isWithinLimit) => requestWithWindows('i-0001', sampleRefs(), isWithinLimit));
    const predict = (number: number) =>
      send({ path: EXPLAINED, body: bodies[number % bodies.length] ?? '', isDropped: true });
    return { run: () => keepSending(attacker, pick(950, 100), predict) };
  },
};

export const rowsOfPredictions = [pipelined, explainedAtOnce];
