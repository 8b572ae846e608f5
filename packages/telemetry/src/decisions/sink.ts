/** Where lines are written to, some at a time. */
export interface LineTarget {
  /** Resolves with how many bytes of the rest it has taken; rejects when it can take none for now. */
  write(bytes: Uint8Array): number | Promise<number>;
  /** The most that it receives at a time; only a line that is longer is written beyond that, alone. All at once if left out. */
  readonly writeBytesMax?: number;
  close(): Promise<void>;
}

export interface LineSinkDeps<T> {
  readonly target: LineTarget;
  /** The line of an item, with its line feed. Lines are made together, just before they are written: that takes a third of the time. */
  toLine(item: T): string;
  /** About how many characters the line of an item will have. */
  lengthOf(item: T): number;
  /** Is told of a target that refuses, at most once a minute, and of one that takes lines again. */
  onFailure(error: unknown, lost: number): void;
  onRecovery(lost: number): void;
  /** Is told of lines for which there was no memory. */
  onLost(count: number): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Keeps lines until their target has taken them. */
export interface LineSink<T> extends AsyncDisposable {
  /** Never waits and never throws. */
  write(item: T): void;
}

/** Lines are gathered for so long, or up to so many characters: a write costs more than a line. */
const GATHER_MS = 100;
const GATHERED_LENGTH_MAX = 2 ** 18;
/** The most characters that wait for a slow target. */
const WAITING_LENGTH_MAX = 8 * 2 ** 20;
const RETRY_MS = 1_000;
const TELL_EVERY_MS = 60_000;
const LINE_FEED = 10;

/**
 * Opens a sink with bounded memory. A target that refuses is tried again each second, with the whole of the line that it took a
 * part of, on a line of its own.
 */
export function createLineSink<T>(deps: LineSinkDeps<T>): LineSink<T> {
  const { target, toLine, lengthOf, onFailure, onRecovery, onLost, now } = deps;
  let waiting: T[] = [];
  let waitingLength = 0;
  let rest: Uint8Array = new Uint8Array();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let failure: { lost: number; toldMs: number } | null = null;
  let isClosing = false;

  const schedule = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = null;
      flush();
    }, ms).unref();
  };
  const flush = () => {
    writing ??= writeAll().finally(() => {
      writing = null;
      if (waitingLength > 0 || rest.length > 0) schedule(failure === null ? GATHER_MS : RETRY_MS);
    });
  };
  const writeAll = async () => {
    try {
      if (rest.length === 0) takeWaiting();
      while (rest.length > 0) {
        await writeRest();
        // A few lines that came meanwhile are not worth a write of their own.
        if (waitingLength >= GATHERED_LENGTH_MAX || isClosing) takeWaiting();
      }
      if (failure !== null) onRecovery(failure.lost);
      failure = null;
    } catch (error) {
      noteFailure(error);
    }
  };
  const takeWaiting = () => {
    rest = Buffer.from(waiting.map(toLine).join(''));
    waiting = [];
    waitingLength = 0;
  };
  const writeRest = async () => {
    let offset = 0;
    try {
      while (offset < rest.length)
        offset += await target.write(firstLines(rest.subarray(offset), target.writeBytesMax));
    } finally {
      rest = restAfter(rest, offset);
    }
  };
  const noteFailure = (error: unknown) => {
    failure ??= { lost: 0, toldMs: Number.NEGATIVE_INFINITY };
    // The clock may jump either way.
    if (Math.abs(now() - failure.toldMs) < TELL_EVERY_MS) return;
    failure.toldMs = now();
    onFailure(error, failure.lost);
  };
  const lose = (count: number) => {
    if (count === 0) return;
    if (failure !== null) failure.lost += count;
    onLost(count);
  };

  return {
    write: (item) => {
      const length = lengthOf(item);
      const isFull = waitingLength > 0 && waitingLength + rest.length + length > WAITING_LENGTH_MAX;
      if (isFull || isClosing) return lose(1);
      waiting.push(item);
      waitingLength += length;
      if (failure === null && waitingLength >= GATHERED_LENGTH_MAX) flush();
      else schedule(GATHER_MS);
    },
    [Symbol.asyncDispose]: async () => {
      isClosing = true;
      if (timer !== null) clearTimeout(timer);
      await writing;
      await writeAll();
      lose(waiting.length + countLines(rest));
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

const countLines = (lines: Uint8Array): number =>
  lines.reduce((count, byte, at) => (byte === LINE_FEED && at > 0 ? count + 1 : count), 0);
