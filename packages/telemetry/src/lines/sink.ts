import { setTimeout as delay } from 'node:timers/promises';

/** A line with its line feed: a text, or what becomes one when it is written. */
export interface Line {
  /** The characters of the text, at least about. */
  readonly length: number;
  toString(): string;
}

/** Where lines are written to, some at a time. */
export interface LineTarget {
  /**
   * Tells how many bytes of the rest it has taken. Throws or rejects when it can take none for now, with the code `EAGAIN` where
   * it waits for its reader.
   */
  write(bytes: Uint8Array): number | Promise<number>;
  /** The most that it receives at a time; only a line that is longer is written beyond that, alone. All at once if left out. */
  readonly writeBytesMax?: number;
  close(): Promise<void>;
}

export interface LineSinkDeps {
  readonly target: LineTarget;
  /** Called when lines cannot be written or are lost, at most once a minute. */
  onFailure(error: unknown, lost: number): void;
  /** Called when lines are written again, after each failure and each loss. */
  onRecovery(lost: number): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Keeps lines until their target has taken them. */
export interface LineSink {
  /** Never waits and never throws; false if the line is lost, because too many wait. */
  write(line: Line): boolean;
  /** For the end of the process: writes to a target that answers at once, and waits for its reader for up to a second. */
  flushSync(): void;
  /** Writes what waits, and closes the target; its reader is waited for, for up to a second. */
  close(): Promise<void>;
}

/** Lines are gathered for this time, or up to this many characters: a write costs more than a line. */
const GATHER_MS = 100;
const GATHERED_LENGTH_MAX = 2 ** 18;
/** The most characters that wait for a slow target. */
const WAITING_LENGTH_MAX = 8 * 2 ** 20;
/** The pause after a failure, and the longest one for a reader. */
const RETRY_MS = 1_000;
/** The first pause for a reader. A pipe of 64 KiB that is emptied in each pause takes 6 MB a second. */
const READER_MS = 10;
const LAST_ATTEMPTS = 100;
const TELL_EVERY_MS = 60_000;
const LINE_FEED = 10;
const NONE = new Uint8Array();

/**
 * Opens a sink with bounded memory. A target that refuses is tried again each second, with the whole of the line that it took a
 * part of, on a line of its own; one that waits for its reader is tried sooner, and the line goes on where it stopped.
 */
export function createLineSink({ target, onFailure, onRecovery, now }: LineSinkDeps): LineSink {
  let waiting: Line[] = [];
  let waitingLength = 0;
  let rest: Uint8Array = NONE;
  let offset = 0;
  let lost = 0;
  let failure: { readonly toldMs: number } | null = null;
  /** Why the last write was refused. */
  let refusal: 'reader' | 'failure' | null = null;
  let pauseMs = 0;
  let timer: NodeJS.Timeout | null = null;
  let isWriting = false;
  let written: Promise<void> = Promise.resolve();
  let isClosing = false;

  const isEmpty = () => rest.length === 0 && waiting.length === 0;
  const schedule = () => {
    timer ??= setTimeout(
      () => {
        timer = null;
        flush();
      },
      refusal === null ? GATHER_MS : pauseMs,
    ).unref();
  };
  const flush = (): Promise<void> => {
    if (!isWriting) written = writeAll();
    return written;
  };
  /** Without a pause as long as the target answers at once. */
  const writeAll = async () => {
    isWriting = true;
    try {
      if (rest.length === 0) takeWaiting();
      while (rest.length > 0) {
        const taken = target.write(firstLines(rest.subarray(offset), target.writeBytesMax));
        offset += typeof taken === 'number' ? taken : await taken;
        refusal = null;
        if (offset === rest.length) finishRest();
      }
    } catch (error) {
      noteFailure(error);
    } finally {
      isWriting = false;
      if (!isEmpty() && !isClosing) schedule();
    }
  };
  const takeWaiting = () => {
    rest = Buffer.from(waiting.join(''));
    offset = 0;
    waiting = [];
    waitingLength = 0;
  };
  const finishRest = () => {
    rest = NONE;
    offset = 0;
    // A few lines that came meanwhile are not worth a write of their own.
    if (waitingLength >= GATHERED_LENGTH_MAX || isClosing) takeWaiting();
    if (failure === null && lost === 0) return;
    const lostUntilNow = lost;
    lost = 0;
    failure = null;
    onRecovery(lostUntilNow);
  };
  const noteFailure = (error: unknown) => {
    if (isAwaitingReader(error)) {
      pauseMs = refusal === 'reader' ? Math.min(RETRY_MS, 2 * pauseMs) : READER_MS;
      refusal = 'reader';
      if (lost === 0) return;
    } else {
      pauseMs = RETRY_MS;
      refusal = 'failure';
      rest = restAfter(rest, offset);
      offset = 0;
    }
    // The clock may jump either way.
    if (failure !== null && Math.abs(now() - failure.toldMs) < TELL_EVERY_MS) return;
    failure = { toldMs: now() };
    onFailure(error, lost);
  };

  return {
    write: (line) => {
      const isFull = waiting.length > 0 && waitingLength + rest.length - offset + line.length > WAITING_LENGTH_MAX;
      if (isFull || isClosing) {
        lost += 1;
        return false;
      }
      waiting.push(line);
      waitingLength += line.length;
      if (refusal === null && waitingLength >= GATHERED_LENGTH_MAX) flush();
      else schedule();
      return true;
    },
    flushSync: () => {
      for (let attempt = 0; attempt < LAST_ATTEMPTS && !isEmpty(); attempt++) {
        flush();
        // Nothing but its reader is worth waiting for.
        if (isWriting || refusal !== 'reader') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READER_MS);
      }
    },
    close: async () => {
      isClosing = true;
      if (timer !== null) clearTimeout(timer);
      await written;
      for (let attempt = 0; attempt < LAST_ATTEMPTS && !isEmpty(); attempt++) {
        await flush();
        if (refusal !== 'reader') break;
        await delay(READER_MS);
      }
      await target.close();
    },
  };
}

/** The lines that fit, one at least. */
function firstLines(lines: Uint8Array, bytesMax = lines.length): Uint8Array {
  if (lines.length <= bytesMax) return lines;
  const last = lines.lastIndexOf(LINE_FEED, bytesMax - 1);
  return lines.subarray(0, 1 + (last < 0 ? lines.indexOf(LINE_FEED) : last));
}

/** What is left of lines of which some bytes are written: a line that is written in part begins anew, after a line feed. */
function restAfter(lines: Uint8Array, written: number): Uint8Array {
  if (written === 0 || written === lines.length) return lines.subarray(written);
  const start = lines.lastIndexOf(LINE_FEED, written - 1) + 1;
  return start === written ? lines.subarray(start) : Buffer.concat([Uint8Array.of(LINE_FEED), lines.subarray(start)]);
}

const isAwaitingReader = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';
