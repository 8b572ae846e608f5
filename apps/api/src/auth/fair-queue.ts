import { createWaitingLines, type Place } from './waiting-lines.ts';

/** Runs a few pieces of work at once; the others wait for their turn. */
export interface FairQueue {
  /** Runs work when its turn comes. Rejects with `refusal` if the queue is full and no line is longer than its own. */
  run<T>(place: Place, work: () => Promise<T>): Promise<T>;
  /** Runs work before all that waits. */
  runFirst<T>(work: () => Promise<T>): Promise<T>;
}

interface FairQueueOptions {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  /** The error of work that is refused. */
  readonly refusal: () => Error;
}

/** Work that exceeds `waitingMax` takes the place of the newest in the longest line, which is refused. */
export function createFairQueue({ atOnceMax, waitingMax, refusal }: FairQueueOptions): FairQueue {
  let running = 0;
  const first: (() => void)[] = [];
  const lines = createWaitingLines<PromiseWithResolvers<void>>();
  const runWhenFree = async <T>(wait: () => Promise<void>, work: () => Promise<T>): Promise<T> => {
    if (running < atOnceMax) running += 1;
    else await wait();
    try {
      return await work();
    } finally {
      // The next one takes over the slot.
      const next = first.shift() ?? lines.takeNext()?.resolve;
      if (next === undefined) running -= 1;
      else next();
    }
  };
  return {
    run: (place, work) =>
      runWhenFree(() => {
        const turn = Promise.withResolvers<void>();
        lines.add(place, turn);
        if (lines.size > waitingMax) lines.takeFromLongest()?.reject(refusal());
        return turn.promise;
      }, work),
    runFirst: (work) => runWhenFree(() => new Promise((start) => first.push(start)), work),
  };
}
