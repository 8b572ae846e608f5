import { setTimeout as delay } from 'node:timers/promises';

/** A string that ends in a line feed, or an object that is serialized just before it is written. */
export interface Line {
  /** In characters; an estimate is enough. */
  readonly length: number;
  toString(): string;
}

/** A file, pipe or terminal that receives batches of lines. */
export interface LineTarget {
  /** Returns how many bytes were written. Fails if none were, with the code `EAGAIN` if the reader is too slow. */
  write(bytes: Uint8Array): number | Promise<number>;
  /** Limits each write, except that a longer line is written alone. No limit if omitted. */
  readonly writeBytesMax?: number;
  close(): Promise<void>;
}

export interface LineSinkDeps {
  readonly target: LineTarget;
  /** Called at most once a minute while writes fail or lines are lost. */
  onFailure(error: unknown, lost: number): void;
  /** Called when writing resumes after a failure or a loss. */
  onRecovery(lost: number): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Buffers lines until the target accepts them. */
export interface LineSink {
  /** Never blocks or throws; false if the buffer is full and the line is lost. */
  write(line: Line): boolean;
  /** For process exit: flushes to a synchronous target, and gives a slow reader up to a second. */
  flushSync(): void;
  /** Flushes, giving a slow reader up to a second, and closes the target. */
  close(): Promise<void>;
}

/** Lines are batched, because a system call costs more than a line. */
const BATCH_MS = 100;
const BATCH_LENGTH_MAX = 2 ** 18;
/** Bounds the memory of lines that a slow target has not taken, in characters. */
const BUFFER_LENGTH_MAX = 8 * 2 ** 20;
/** The delay after a failure, and the longest one for a slow reader. */
const RETRY_MS = 1_000;
/** The first delay for a slow reader: a pipe of 64 KiB that is drained in each takes 6 MB a second. */
const READER_RETRY_MS = 10;
const FINAL_ATTEMPTS_MAX = 100;
const REPORT_INTERVAL_MS = 60_000;
const LINE_FEED = 10;
const EMPTY = new Uint8Array();

/**
 * Opens a sink with bounded memory. After a failure it retries each second and repeats a partly written line in full, on a new
 * line. For a slow reader it retries sooner and continues within the line.
 */
export function createLineSink({ target, onFailure, onRecovery, now }: LineSinkDeps): LineSink {
  let buffer: Line[] = [];
  let bufferLength = 0;
  let batch: Uint8Array = EMPTY;
  let offset = 0;
  let lost = 0;
  /** When the present failure was last reported; null while writing works. */
  let reportedMs: number | null = null;
  /** Why the last write failed. */
  let lastError: 'SLOW_READER' | 'FAILURE' | null = null;
  let retryMs = 0;
  let timer: NodeJS.Timeout | null = null;
  let isWriting = false;
  let written: Promise<void> = Promise.resolve();
  let isClosing = false;

  const isEmpty = () => batch.length === 0 && buffer.length === 0;
  const schedule = () => {
    timer ??= setTimeout(
      () => {
        timer = null;
        flush();
      },
      lastError === null ? BATCH_MS : retryMs,
    ).unref();
  };
  const flush = (): Promise<void> => {
    if (!isWriting) written = writeAll();
    return written;
  };
  const writeAll = async () => {
    isWriting = true;
    try {
      if (batch.length === 0) takeBatch();
      while (batch.length > 0) {
        const taken = target.write(leadingLines(batch.subarray(offset), target.writeBytesMax));
        offset += typeof taken === 'number' ? taken : await taken;
        lastError = null;
        if (offset === batch.length) finishBatch();
      }
    } catch (error) {
      noteFailure(error);
    } finally {
      isWriting = false;
      if (!isEmpty() && !isClosing) schedule();
    }
  };
  const takeBatch = () => {
    batch = Buffer.from(buffer.join(''));
    offset = 0;
    buffer = [];
    bufferLength = 0;
  };
  const finishBatch = () => {
    batch = EMPTY;
    offset = 0;
    // A few lines that arrived meanwhile wait for the next batch.
    if (bufferLength >= BATCH_LENGTH_MAX || isClosing) takeBatch();
    if (reportedMs === null && lost === 0) return;
    const lostBefore = lost;
    lost = 0;
    reportedMs = null;
    onRecovery(lostBefore);
  };
  const noteFailure = (error: unknown) => {
    if (isReaderSlow(error)) {
      retryMs = lastError === 'SLOW_READER' ? Math.min(RETRY_MS, 2 * retryMs) : READER_RETRY_MS;
      lastError = 'SLOW_READER';
      if (lost === 0) return;
    } else {
      retryMs = RETRY_MS;
      lastError = 'FAILURE';
      batch = unwrittenLines(batch, offset);
      offset = 0;
    }
    // The clock may jump either way.
    if (reportedMs !== null && Math.abs(now() - reportedMs) < REPORT_INTERVAL_MS) return;
    reportedMs = now();
    onFailure(error, lost);
  };

  return {
    write: (line) => {
      const isFull = buffer.length > 0 && bufferLength + batch.length - offset + line.length > BUFFER_LENGTH_MAX;
      if (isFull || isClosing) {
        lost += 1;
        return false;
      }
      buffer.push(line);
      bufferLength += line.length;
      if (lastError === null && bufferLength >= BATCH_LENGTH_MAX) flush();
      else schedule();
      return true;
    },
    flushSync: () => {
      for (let attempt = 0; attempt < FINAL_ATTEMPTS_MAX && !isEmpty(); attempt++) {
        flush();
        // Only a slow reader is worth buffer for.
        if (isWriting || lastError !== 'SLOW_READER') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READER_RETRY_MS);
      }
    },
    close: async () => {
      isClosing = true;
      if (timer !== null) clearTimeout(timer);
      await written;
      for (let attempt = 0; attempt < FINAL_ATTEMPTS_MAX && !isEmpty(); attempt++) {
        await flush();
        if (lastError !== 'SLOW_READER') break;
        await delay(READER_RETRY_MS);
      }
      await target.close();
    },
  };
}

/** As many whole lines as fit, but at least one. */
function leadingLines(lines: Uint8Array, bytesMax = lines.length): Uint8Array {
  if (lines.length <= bytesMax) return lines;
  const last = lines.lastIndexOf(LINE_FEED, bytesMax - 1);
  return lines.subarray(0, 1 + (last < 0 ? lines.indexOf(LINE_FEED) : last));
}

/** The unwritten lines. A partly written one is repeated in full, after a line feed. */
function unwrittenLines(lines: Uint8Array, written: number): Uint8Array {
  if (written === 0 || written === lines.length) return lines.subarray(written);
  const start = lines.lastIndexOf(LINE_FEED, written - 1) + 1;
  return start === written ? lines.subarray(start) : Buffer.concat([Uint8Array.of(LINE_FEED), lines.subarray(start)]);
}

const isReaderSlow = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';
