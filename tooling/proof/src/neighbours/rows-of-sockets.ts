import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { SAMPLE_RECORDS, sampleRefs } from './attack-models.ts';
import { type Attacker, keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';

/** The place of the status in an answer. */
const STATUS_FROM = 'HTTP/1.1 '.length;
export const BEGUN = 'answers begun';

const BATCHES = 17;
const LINES = 1_000;
const LINE_BYTES = 4_190;

const untakenBatches: NeighbourRow = {
  id: '7',
  title: '17 batches of 4 MiB whose answers are not taken',
  prepare: async (attacker) => {
    await attacker.loadAndRead('i-0001', SAMPLE_RECORDS);
    const accessRefs = sampleRefs().slice(0, 80);
    const line = JSON.stringify({ identityId: 'i-0001', accessRefs }).padEnd(LINE_BYTES);
    const body = Array.from({ length: LINES }, () => line).join('\n');
    const first = Buffer.from(`${headOf(attacker, 'POST /sod-violations/v1/predict/batch', body.length)}${body}`);
    return {
      run: () => keepSending(attacker, BATCHES, () => readSlowly(attacker, first, 0)),
      least: { outcomes: { [BEGUN]: 2 } },
    };
  },
};

const READERS = 10;
/** As many long answers as one tenant may hold; the others are refused. */
const BEGUN_MIN = 4;
const READ_BYTES = 30_000;
const READ_EVERY_MS = 100;
const LONG_TEXT = 'x'.repeat(4_000);
const REWRITTEN = 600;
const REWRITE_EVERY_MS = 500;

/** SQLite starts its log over once no reader needs it. */
const LOG_MIB_MAX = 100;

export const longPolicies = (count: number, description: string) =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'sodPolicy',
    id: `p-long-${at}`,
    name: `Long ${at}`,
    description: description.padEnd(4_000, '.'),
    compensatingControls: LONG_TEXT,
    correctionAdvice: LONG_TEXT,
    conflictingAccessCriteria: {
      leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-create' }] },
      rightCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-payment-release' }] },
    },
  }));

const slowExports: NeighbourRow = {
  id: '8',
  title: '10 slow readers of exports beside imports',
  prepare: async (attacker, { database }) => {
    const { load, pick, send, pause } = attacker;
    await load([...SAMPLE_RECORDS, ...longPolicies(pick(3_000, 1_000), '')]);
    const first = Buffer.from(headOf(attacker, 'GET /access-model/v1/export', 0));
    const rewrite = async (number: number) => {
      const body = longPolicies(REWRITTEN, `${number}`).map((record) => `${JSON.stringify(record)}\n`);
      await send({ path: '/access-model/v1/import', body: body.join(''), type: 'application/x-ndjson' });
      await pause(REWRITE_EVERY_MS);
    };
    const read = () => readSlowly(attacker, first, READ_BYTES);
    let logBytes = 0;
    return {
      run: async () => {
        const stopWatching = watchLog(database.path);
        await Promise.all([keepSending(attacker, READERS, read), keepSending(attacker, 1, rewrite)]);
        logBytes = stopWatching();
      },
      least: { outcomes: { [BEGUN]: pick(BEGUN_MIN, 2), 200: 1 } },
      verify: async () => {
        const mib = Math.round(logBytes / 2 ** 20);
        return mib <= LOG_MIB_MAX ? [] : [`the log of writes has grown by ${mib} MiB`];
      },
    };
  },
};

export const headOf = ({ token }: Attacker, line: string, length: number, accept = '*/*') =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\nAuthorization: Bearer ${token}\r\n` +
  (length === 0 ? '\r\n' : `Content-Type: application/x-ndjson\r\nContent-Length: ${length}\r\n\r\n`);

/** Sends a request and takes so many bytes of its answer, ten times a second, until it is cut. */
export async function readSlowly(
  { port, signal, count, pause }: Attacker,
  first: Buffer,
  bytesEach: number,
): Promise<void> {
  let isBegun = false;
  const countOnce = (bytes: Uint8Array) => {
    if (isBegun) return;
    isBegun = true;
    const status = Buffer.from(bytes).toString('latin1', STATUS_FROM, STATUS_FROM + 3);
    count(status === '200' ? BEGUN : `refused with ${status}`);
    // A refused request is sent again.
    if (status !== '200') end();
  };
  const callback = (_: number, bytes: Uint8Array) => {
    countOnce(bytes);
    return false;
  };
  const onread = { buffer: Buffer.alloc(bytesEach || STATUS_FROM + 3), callback };
  const socket = connect({ port, host: '127.0.0.1', onread });
  const end = () => void socket.destroy();
  signal.addEventListener('abort', end);
  const timer = bytesEach === 0 ? null : setInterval(() => socket.resume(), READ_EVERY_MS);
  try {
    socket.on('error', () => {});
    socket.write(first);
    // Not `once`, which rejects where the connection is reset: that is how a slow answer is cut.
    await new Promise((resolve) => socket.once('close', resolve));
  } finally {
    if (timer !== null) clearInterval(timer);
    signal.removeEventListener('abort', end);
    await pause(100);
  }
}

/** Where the index of SQLite's log of writes has the size of a page, and the number of the last one in the log. */
const PAGE_BYTES_AT = 14;
const LAST_PAGE_AT = 16;
const LOG_LOOK_MS = 20;

/**
 * Watches by how many bytes SQLite's log of writes grows; 0 on PostgreSQL. Not by its file, which keeps the length of earlier writes,
 * and without what the log holds at the beginning, such as what was written beside long scans.
 */
function watchLog(path: string | null): () => number {
  if (path === null) return () => 0;
  const bytesNow = () => {
    const index = readFileSync(`${path}-shm`);
    return index.readUInt32LE(LAST_PAGE_AT) * index.readUInt16LE(PAGE_BYTES_AT);
  };
  let from = bytesNow();
  let last = from;
  let most = 0;
  const look = () => {
    const bytes = bytesNow();
    // It has begun anew.
    if (bytes < last) from = 0;
    last = bytes;
    most = Math.max(most, bytes - from);
  };
  const timer = setInterval(look, LOG_LOOK_MS);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}

export const rowsOfSockets = [untakenBatches, slowExports];
