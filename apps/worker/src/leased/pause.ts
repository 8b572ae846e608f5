import type { Scheduler } from '@access-admin/scheduling';

/** Is awaited between pieces of long work, each of a millisecond or less. Rejects when the work is to end. */
export type Pause = () => Promise<void> | undefined;

/** Thrown where another worker has taken what is under way. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Thrown where the process stops, or has lost the lease. */
export class WorkStopped extends Error {
  override readonly name = 'WorkStopped';
}

/** Thrown where work takes longer than it may. */
export class WorkTooLong extends Error {
  override readonly name = 'WorkTooLong';
}

export interface PauseDeps {
  /** The time in which the process has worked, in milliseconds. */
  busyMs(): number;
  readonly yieldIfDue: Scheduler['yieldIfDue'];
}

interface PausedWork {
  /** Ends the work at its next pause. */
  readonly signal: AbortSignal;
  /** The most work, in milliseconds. */
  readonly workMsMax?: number;
}

/** The pauses of one piece of long work. */
export interface Pauses {
  readonly pause: Pause;
  /** How long it has worked until it last yielded, in milliseconds. */
  workedMs(): number;
  /** Ends the work; returns how long it has worked in all, in milliseconds. */
  end(): number;
}

/** Lets the event loop turn between the pieces of long work, and counts its time. */
export function createPauses(
  { busyMs, yieldIfDue }: PauseDeps,
  { signal, workMsMax = Number.POSITIVE_INFINITY }: PausedWork,
): Pauses {
  let workedMs = 0;
  let pieceMs = busyMs();
  const endPiece = () => Math.max(0, busyMs() - pieceMs);
  const throwIfOver = () => {
    if (signal.aborted) throw new WorkStopped();
    if (workedMs > workMsMax) throw new WorkTooLong();
  };
  return {
    workedMs: () => workedMs,
    end: () => {
      workedMs += endPiece();
      return workedMs;
    },
    pause: () => {
      throwIfOver();
      const yielding = yieldIfDue();
      if (yielding === undefined) return;
      workedMs += endPiece();
      return yielding.then(() => {
        pieceMs = busyMs();
        throwIfOver();
      });
    },
  };
}
