import { drawOne, type Random } from '../campaign/random.ts';

export interface Target {
  readonly port: number;
  /** A token for every operation. */
  readonly token: string;
}

/** A way to hold a connection without using it. */
export interface SlowKind {
  readonly name: string;
  /** Number of sockets of this kind, of a hundred. */
  readonly share: number;
  /** The service must have closed the socket by then. */
  readonly openMsMax: number;
  /** How much of an answer the socket reads. */
  readonly reads: 'all' | 'little' | 'nothing';
  /** The bytes sent at once. */
  first(target: Target, random: Random): string;
  /** The bytes repeated afterwards; empty for none. */
  readonly drip: string;
  /** Whether the socket is closed while it sends. */
  readonly aborts: boolean;
}

/** For sockets that send slowly or not at all. */
export const SENDING_MS_MAX = 15_000;
/** A slow reader is noticed only when all buffers in between are full, which takes seconds on a busy machine. */
const READING_MS_MAX = SENDING_MS_MAX + 10_000;
/** The limit for idle connections in docs/decisions/0012-slow-senders.md. */
const IDLE_MS_MAX = 70_000;

const UPLOAD_BYTES = 50_000;
const WITH_LENGTH = `Content-Length: ${UPLOAD_BYTES}\r\n`;
const PREDICT = ['/sod-violations/v1/predict', 'application/json'] as const;
const POSTS = [
  PREDICT,
  ['/access-model/v1/import', 'application/x-ndjson'],
  ['/oauth/token', 'application/x-www-form-urlencoded'],
] as const;

const bearer = ({ token }: Target) => `Authorization: Bearer ${token}\r\n`;
const get = (path: string) => (target: Target) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${bearer(target)}\r\n`;
const post = ([path, type]: (typeof POSTS)[number], headers: string) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\n${headers}\r\n`;
/** Half of the uploads have no token and are refused before the body arrives. */
const upload = (framing: string) => (target: Target, random: Random) =>
  post(drawOne(random, POSTS), (random(2) === 0 ? '' : bearer(target)) + framing);

const SENDER = { openMsMax: SENDING_MS_MAX, reads: 'all', drip: '', aborts: false } as const;
const IDLER = { openMsMax: IDLE_MS_MAX, first: get('/healthz') };
const READER = { openMsMax: READING_MS_MAX, first: get('/access-model/v1/export') };

const KINDS: Readonly<Record<string, Pick<SlowKind, 'share' | 'first'> & Partial<SlowKind>>> = {
  'headers a byte at a time': {
    share: 22,
    first: () => 'POST /sod-violations/v1/predict HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
    drip: 'x',
  },
  'bodies a byte at a time': { share: 21, first: upload(WITH_LENGTH), drip: ' ' },
  silent: { share: 20, first: () => '' },
  'idle after an answer': { ...IDLER, share: 10 },
  'empty lines after an answer': { ...IDLER, share: 5, drip: '\r\n' },
  'chunks without an end': { share: 10, first: upload('Transfer-Encoding: chunked\r\n'), drip: '1\r\n \r\n' },
  'answers not read': { ...READER, share: 1, reads: 'nothing' },
  'answers read a little at a time': { ...READER, share: 1, reads: 'little' },
  // An operation that reads its body notices that the upload was aborted.
  'aborted uploads': {
    share: 10,
    first: (target, random) =>
      post(PREDICT, bearer(target) + WITH_LENGTH) + '{"identityId":'.padEnd(random(UPLOAD_BYTES - 14) + 14),
    aborts: true,
  },
};

export const SLOW_KINDS: readonly SlowKind[] = Object.entries(KINDS).map(([name, own]) => ({
  ...SENDER,
  name,
  ...own,
}));
