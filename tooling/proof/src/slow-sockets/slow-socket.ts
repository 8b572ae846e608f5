import { connect } from 'node:net';
import type { Random } from '../campaign/random.ts';
import type { SlowKind, Target } from './slow-kinds.ts';

/** One misbehaving connection. */
export interface SlowSocket {
  readonly kind: SlowKind;
  /** In ms of `performance.now()`: when the misuse began, and when the socket was closed. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** Whether an answer is complete. */
  readonly hasWholeAnswer: boolean;
  /** Reads everything from now on. */
  readAll(): void;
  end(): void;
}

const READ_BYTES = 4096;
const LAST_CHUNK = '0\r\n\r\n';
const DRIP_MS = { min: 500, spread: 1_000 };
const ABORT_MS = { min: 50, spread: 3_000 };

/** Connects and misbehaves until it is closed. */
export function openSlowSocket(kind: SlowKind, random: Random, target: Target): SlowSocket {
  const first = kind.first(target, random);
  const everyMs = DRIP_MS.min + random(DRIP_MS.spread);
  const abortMs = ABORT_MS.min + random(ABORT_MS.spread);
  let isReading = kind.reads === 'all';
  let tail = '';
  let timer: NodeJS.Timeout | undefined;
  const buffer = Buffer.alloc(READ_BYTES);
  const read = (length: number): boolean => {
    tail = (tail + buffer.toString('latin1', 0, length)).slice(-LAST_CHUNK.length);
    slow.hasWholeAnswer = tail === LAST_CHUNK;
    return isReading;
  };
  const socket = connect({ port: target.port, host: '127.0.0.1', onread: { buffer, callback: read } });
  const slow = {
    kind,
    startMs: null as number | null,
    endMs: null as number | null,
    hasWholeAnswer: false,
    readAll: () => {
      isReading = true;
      socket.resume();
    },
    end: () => void socket.destroy(),
  };
  socket.on('connect', () => {
    slow.startMs = performance.now();
    if (first !== '') socket.write(first);
    if (kind.drip !== '') timer = setInterval(() => socket.write(kind.drip), everyMs);
    if (kind.reads === 'little') timer = setInterval(() => socket.resume(), everyMs);
    if (kind.aborts) timer = setTimeout(slow.end, abortMs);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    slow.endMs = performance.now();
    clearInterval(timer);
  });
  return slow;
}
