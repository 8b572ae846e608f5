import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { createLineSink, type Line } from './sink.ts';

/** Non-blocking standard output, shared by the service log and the decision log. */
export interface Stdout {
  /** Never blocks or throws; false if the reader is too slow and the line is lost. */
  write(line: Line): boolean;
  lostCount(): number;
}

export interface StdoutDeps {
  /** Called when writing resumes after lines were lost. */
  onRecovery(lost: number): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Opens standard output so that a stalled reader cannot block the process. Buffered lines are flushed on exit. */
export function openStdout({ onRecovery, now }: StdoutDeps): Stdout {
  const { fd, isPipe } = openNonBlocking();
  let lostCount = 0;
  const sink = createLineSink({
    target: {
      write: (bytes) => writeSync(fd, bytes),
      ...(isPipe ? { writeBytesMax: PIPE_WRITE_BYTES_MAX } : {}),
      close: async () => {},
    },
    // The log itself cannot be written, so there is nowhere to report this.
    onFailure: () => {},
    onRecovery: (lost) => {
      if (lost > 0) onRecovery(lost);
    },
    now,
  });
  process.on('exit', sink.flushSync);
  return {
    write: (line) => {
      const isBuffered = sink.write(line);
      if (!isBuffered) lostCount += 1;
      return isBuffered;
    },
    lostCount: () => lostCount,
  };
}

const STDOUT_FD = 1;
/** `PIPE_BUF` on Linux: longer writes of processes that share a pipe may interleave. */
const PIPE_WRITE_BYTES_MAX = 4096;
const NON_BLOCKING = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Reopens a pipe or terminal, because `O_NONBLOCK` on descriptor 1 itself would also apply to the processes that share it, and
 * each child that inherits it clears the flag. A file never blocks on a reader.
 */
function openNonBlocking(): { readonly fd: number; readonly isPipe: boolean } {
  const stats = fstatSync(STDOUT_FD);
  const isPipe = stats.isFIFO() || stats.isSocket();
  if (!isPipe && !stats.isCharacterDevice()) return { fd: STDOUT_FD, isPipe };
  try {
    return { fd: openSync(`/proc/self/fd/${STDOUT_FD}`, NON_BLOCKING), isPipe };
  } catch {
    // Sockets and pipes of other users cannot be reopened. Touching Node's stream makes the descriptor itself non-blocking.
    void process.stdout;
    return { fd: STDOUT_FD, isPipe };
  }
}

/** Opens standard output anew so that a write to a full pipe fails with `EAGAIN` instead of blocking the process. */
export const openStdoutNonBlocking = (): number => openNonBlocking().fd;
