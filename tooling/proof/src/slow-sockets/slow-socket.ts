import { connect, type Socket } from 'node:net';
import { drawOne, type Random } from '../campaign/random.ts';

/** A way to hold a connection without using it. */
export type SlowKind =
  | 'headers a byte at a time'
  | 'bodies a byte at a time'
  | 'silent'
  | 'idle after an answer'
  | 'empty lines after an answer'
  | 'chunks without an end'
  | 'answers not taken'
  | 'answers taken a little at a time'
  | 'aborted uploads';

/** Number of sockets of each kind, of a hundred. */
export const SHARES: Readonly<Record<SlowKind, number>> = {
  'headers a byte at a time': 22,
  'bodies a byte at a time': 21,
  silent: 20,
  'idle after an answer': 10,
  'empty lines after an answer': 5,
  'chunks without an end': 10,
  'answers not taken': 1,
  'answers taken a little at a time': 1,
  'aborted uploads': 10,
};

export interface Target {
  readonly port: number;
  /** A token for every operation. */
  readonly token: string;
}

/** One misbehaving connection. */
export interface SlowSocket {
  readonly kind: SlowKind;
  /** In ms of `performance.now()`: when the misuse began, and when the socket was closed. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** Reads everything from now on. */
  readAll(): void;
  /** Whether an answer is complete. */
  readonly hasWholeAnswer: boolean;
  end(): void;
}

const READ_BYTES = 4096;
const LAST_CHUNK = '0\r\n\r\n';
const DRIP_MS = { min: 500, spread: 1_000 };
const ABORT_MS = { min: 50, spread: 3_000 };
const UPLOAD_BYTES = 50_000;
const POSTS = [
  ['/sod-violations/v1/predict', 'application/json'],
  ['/access-model/v1/import', 'application/x-ndjson'],
  ['/oauth/token', 'application/x-www-form-urlencoded'],
] as const;

const get = (path: string, { token }: Target) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;

function post(random: Random, { token }: Target, framing: string): string {
  const [path, type] = drawOne(random, POSTS);
  // Half of the uploads have no token and are refused before the body arrives.
  const authorization = random(2) === 0 ? '' : `Authorization: Bearer ${token}\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}Content-Type: ${type}\r\n${framing}\r\n\r\n`;
}

const withLength = `Content-Length: ${UPLOAD_BYTES}`;

/** The bytes sent at once, and those repeated afterwards. */
function wordsOf(kind: SlowKind, random: Random, target: Target): readonly [first: string, drip: string | null] {
  switch (kind) {
    case 'headers a byte at a time':
      return ['POST /sod-violations/v1/predict HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ', 'x'];
    case 'bodies a byte at a time':
      return [post(random, target, withLength), ' '];
    case 'silent':
      return ['', null];
    case 'idle after an answer':
      return [get('/healthz', target), null];
    case 'empty lines after an answer':
      return [get('/healthz', target), '\r\n'];
    case 'chunks without an end':
      return [post(random, target, 'Transfer-Encoding: chunked'), '1\r\n \r\n'];
    case 'answers not taken':
    case 'answers taken a little at a time':
      return [get('/access-model/v1/export', target), null];
    case 'aborted uploads':
      // An operation that reads its body notices that the upload was aborted.
      return [`${uploadHead(target)}${'{"identityId":'.padEnd(random(UPLOAD_BYTES - 14) + 14)}`, null];
  }
}

const uploadHead = ({ token }: Target) =>
  `POST /sod-violations/v1/predict HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${withLength}\r\n\r\n`;

/** Connects and misbehaves until it is closed. */
export function openSlowSocket(kind: SlowKind, random: Random, target: Target): SlowSocket {
  const [first, drip] = wordsOf(kind, random, target);
  const everyMs = DRIP_MS.min + random(DRIP_MS.spread);
  const abortMs = ABORT_MS.min + random(ABORT_MS.spread);
  const isReader = kind.startsWith('answers');
  let startMs: number | null = null;
  let endMs: number | null = null;
  let isReading = !isReader;
  let tail = '';
  let timer: NodeJS.Timeout | undefined;
  const buffer = Buffer.alloc(READ_BYTES);
  const read = (length: number): boolean => {
    tail = (tail + buffer.toString('latin1', 0, length)).slice(-LAST_CHUNK.length);
    return isReading;
  };
  const socket: Socket = connect({ port: target.port, host: '127.0.0.1', onread: { buffer, callback: read } });
  socket.on('connect', () => {
    startMs = performance.now();
    if (first !== '') socket.write(first);
    if (drip !== null) timer = setInterval(() => socket.write(drip), everyMs);
    if (kind === 'answers taken a little at a time') timer = setInterval(() => socket.resume(), everyMs);
    if (kind === 'aborted uploads') timer = setTimeout(() => socket.destroy(), abortMs);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    endMs = performance.now();
    clearInterval(timer);
  });
  return {
    kind,
    get startMs() {
      return startMs;
    },
    get endMs() {
      return endMs;
    },
    get hasWholeAnswer() {
      return tail === LAST_CHUNK;
    },
    readAll: () => {
      isReading = true;
      socket.resume();
    },
    end: () => void socket.destroy(),
  };
}
