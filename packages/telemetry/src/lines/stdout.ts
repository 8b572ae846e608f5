import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { createLineSink, type Line } from './sink.ts';

/** Standard output, for whole lines. */
export interface Stdout {
  /** Never waits and never throws; false if the line is lost, because its reader is too slow. */
  write(line: Line): boolean;
  /** How many lines have been lost. */
  lostCount(): number;
}

export interface StdoutDeps {
  /** Called once lines are written again after some were lost. */
  onRecovery(lost: number): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Opens standard output so that a reader which stops does not stop the process. What is left at the end of the process is
 * written then.
 */
export function openStdout({ onRecovery, now }: StdoutDeps): Stdout {
  const { fd, isPipe } = openWithoutBlocking();
  let lostCount = 0;
  const sink = createLineSink({
    target: {
      write: (bytes) => writeSync(fd, bytes),
      ...(isPipe ? { writeBytesMax: PIPE_WRITE_BYTES_MAX } : {}),
      close: async () => {},
    },
    // Where its own lines cannot be written, there is nowhere to tell it.
    onFailure: () => {},
    onRecovery: (lost) => {
      if (lost > 0) onRecovery(lost);
    },
    now,
  });
  process.on('exit', sink.flushSync);
  return {
    write: (line) => {
      const isTaken = sink.write(line);
      if (!isTaken) lostCount += 1;
      return isTaken;
    },
    lostCount: () => lostCount,
  };
}

const STDOUT_FD = 1;
/** What processes that share a pipe write to it is mixed where a write is longer than this, the `PIPE_BUF` of Linux. */
const PIPE_WRITE_BYTES_MAX = 4096;
const WITHOUT_BLOCKING = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * A pipe or terminal is opened once more: the mode of descriptor 1 is also that of other processes, and each child that
 * inherits it sets it back. A file has no reader to wait for.
 */
function openWithoutBlocking(): { readonly fd: number; readonly isPipe: boolean } {
  const stats = fstatSync(STDOUT_FD);
  const isPipe = stats.isFIFO() || stats.isSocket();
  if (!isPipe && !stats.isCharacterDevice()) return { fd: STDOUT_FD, isPipe };
  try {
    return { fd: openSync(`/proc/self/fd/${STDOUT_FD}`, WITHOUT_BLOCKING), isPipe };
  } catch {
    // A socket cannot be opened again, nor a pipe of another user. The stream of Node sets the mode of the descriptor itself.
    void process.stdout;
    return { fd: STDOUT_FD, isPipe };
  }
}
