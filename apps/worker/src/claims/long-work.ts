/** Is awaited between pieces of long work, each of a millisecond or less. Rejects when the work is to end. */
export type Pause = () => Promise<void> | undefined;

/** Thrown where another worker has taken what is under way. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Thrown where the process stops. */
export class WorkStopped extends Error {
  override readonly name = 'WorkStopped';
}

/** Thrown where work takes longer than it may. */
export class WorkTooLong extends Error {
  override readonly name = 'WorkTooLong';
}

/** The long work of a process, such as reports. One of them goes on in each turn of the event loop, in order, for some milliseconds. */
export interface LongWork {
  /**
   * Pauses for one of them. They reject with the reason of the signal once it is aborted. `onWorked` is told how long the work
   * took since the pause before, in milliseconds.
   */
  pauses(signal: AbortSignal, onWorked: (ms: number) => void): Pause;
  /** How long all of it has worked, in milliseconds. */
  workedMs(): number;
}

export interface LongWorkDeps {
  /** The time in which the process has worked, in milliseconds. */
  busyMs(): number;
  /** Resolves after one turn of the event loop. */
  nextTick(): Promise<void>;
}

const WORK_MS_MAX = 4;

export function createLongWork({ busyMs, nextTick }: LongWorkDeps): LongWork {
  const queue: (() => void)[] = [];
  let isRunning = false;
  let workedMs = 0;
  /** Up to here, time was counted: what one has worked while another has waited for the database counts once. */
  let countedMs = busyMs();

  const run = async () => {
    isRunning = true;
    while (queue.length > 0) {
      await nextTick();
      countedMs = busyMs();
      queue.shift()?.();
    }
    isRunning = false;
  };
  const wait = () =>
    new Promise<void>((resolve) => {
      queue.push(resolve);
      if (!isRunning) void run();
    });

  return {
    workedMs: () => workedMs,
    pauses: (signal, onWorked) => {
      let sinceMs = busyMs();
      return () => {
        signal.throwIfAborted();
        const nowMs = busyMs();
        const ms = nowMs - Math.max(sinceMs, countedMs);
        if (ms < WORK_MS_MAX) return;
        countedMs = nowMs;
        workedMs += ms;
        onWorked(ms);
        return wait().then(() => {
          signal.throwIfAborted();
          sinceMs = busyMs();
        });
      };
    },
  };
}
