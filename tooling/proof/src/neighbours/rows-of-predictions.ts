import { connect, type Socket } from 'node:net';
import {
  entitlementRefs,
  entitlements,
  identity,
  longRequests,
  policies,
  SAMPLE_RECORDS,
  STAFF,
  sampleRefs,
} from './attack-models.ts';
import { type Attacker, keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';

const PREDICT = '/sod-violations/v1/predict';
const EXPLAINED = `${PREDICT}?include=via,remediation`;
const REMEDIED = `${PREDICT}?include=remediation`;
const SILENCE_MS = 120_000;
/** A prediction that is not answered for so long has been accepted: refusals take milliseconds. */
const ACCEPTED_MS = 500;
const ACCEPTED = 'accepted';

const pipelined: NeighbourRow = {
  id: '3',
  title: 'long predictions kept alive by requests behind them',
  prepare: async (attacker) => {
    const { loadAndRead, pick } = attacker;
    const count = pick(10_000, 1_000);
    const model = [...entitlements(500), STAFF, identity('i-0'), ...policies({ count, items: 50, drawnFrom: 500 })];
    await loadAndRead('i-0', model);
    const { explained, explainedAt, plain } = longRequests('i-0', entitlementRefs(500));
    const predictions = [
      { path: REMEDIED, body: explained },
      { path: REMEDIED, body: explainedAt },
      { path: PREDICT, body: plain },
    ];
    const everyMs = pick(8_000, 500);
    return {
      run: () =>
        keepSending(attacker, predictions.length, async (number) => {
          const prediction = predictions[number % predictions.length];
          if (prediction !== undefined) await pipeline(attacker, prediction, everyMs);
        }),
      least: { outcomes: { [ACCEPTED]: predictions.length }, cpuSeconds: { 'api 0': pick(2, 0) } },
    };
  },
};

/** Sends a prediction and then, again and again on the same connection, a request for the health. */
async function pipeline(
  { port, token, signal, count, pause }: Attacker,
  { path, body }: Readonly<Record<'path' | 'body', string>>,
  everyMs: number,
): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, timeout: SILENCE_MS });
  const close = () => void socket.destroy();
  socket.on('error', () => {});
  socket.on('timeout', close);
  const head = (method: string, target: string) => `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  const framing = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const timer = setInterval(() => void socket.write(`${head('GET', '/healthz')}\r\n`), everyMs);
  let isAnswered = false;
  const accepted = setTimeout(() => !isAnswered && count(ACCEPTED), ACCEPTED_MS);
  signal.addEventListener('abort', close);
  try {
    socket.write(`${head('POST', path)}${framing}\r\n${body}`);
    const status = await readAnswer(socket);
    isAnswered = true;
    count(status ?? 'cut');
    if (status === '200') count(ACCEPTED);
    if (status === null) await pause(100);
  } finally {
    clearInterval(timer);
    clearTimeout(accepted);
    signal.removeEventListener('abort', close);
    close();
  }
}

/** The status of the first answer, once its end has arrived; null when the connection is closed or reset before. */
async function readAnswer(socket: Socket): Promise<string | null> {
  let text = '';
  // `once` of Node rejects at an error, and a reset is one of the outcomes.
  const closed = new Promise<null>((resolve) => void socket.once('close', () => resolve(null)));
  for (;;) {
    const packet = await Promise.race([new Promise<Buffer>((resolve) => void socket.once('data', resolve)), closed]);
    if (packet === null) return null;
    text += String(packet);
    const [head = '', ...rest] = text.split('\r\n\r\n');
    if (rest.length === 0) continue;
    const length = /^content-length: (\d+)$/im.exec(head)?.[1];
    const isWhole =
      length === undefined ? text.includes('\r\n0\r\n\r\n') : text.length >= head.length + 4 + Number(length);
    if (isWhole) return head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
  }
}

const explainedAtOnce: NeighbourRow = {
  id: '10',
  title: '950 explained predictions at once',
  prepare: async (attacker) => {
    const { loadAndRead, pick, send } = attacker;
    await loadAndRead('i-0001', SAMPLE_RECORDS);
    const { explained, explainedAt } = longRequests('i-0001', sampleRefs());
    const predict = (number: number) =>
      send({ path: EXPLAINED, body: number % 2 === 0 ? explained : explainedAt, isDropped: true });
    return {
      run: () => keepSending(attacker, pick(950, 100), predict),
      least: { outcomes: { 200: pick(100, 20) }, cpuSeconds: { 'api 0': pick(2, 0) } },
    };
  },
};

export const rowsOfPredictions = [pipelined, explainedAtOnce];
