import { createWaitingLines, type QueueKey, type WaitingLines } from './waiting-lines.ts';

/** Runs work when its turn comes. Rejects with `refusal` if the group is full and no line of it is longer than its own. */
export type RunInTurn = <T>(key: QueueKey, work: () => Promise<T>) => Promise<T>;

/** Runs a few pieces of work at once; the others wait for their turn. */
export interface FairQueue {
  /** Opens a group of work. Groups with work that waits are served in turn, so none of them delays another by more than its share. */
  openGroup(): RunInTurn;
}

interface FairQueueOptions {
  readonly atOnceMax: number;
  /** The most that waits in each group. */
  readonly waitingMax: number;
  /** The error of work that is refused. */
  readonly refusal: () => Error;
}

/** Work that exceeds `waitingMax` replaces the newest in the longest line of its group, which is refused. */
export function createFairQueue({ atOnceMax, waitingMax, refusal }: FairQueueOptions): FairQueue {
  let running = 0;
  /** The group that was served longest ago is first. */
  const groups: WaitingLines<PromiseWithResolvers<void>>[] = [];
  const takeNext = () => {
    const at = groups.findIndex(({ size }) => size > 0);
    const [group] = at === -1 ? [] : groups.splice(at, 1);
    if (group === undefined) return null;
    groups.push(group);
    return group.takeNext();
  };
  return {
    openGroup: () => {
      const lines = createWaitingLines<PromiseWithResolvers<void>>();
      groups.push(lines);
      const waitForTurn = (key: QueueKey): Promise<void> => {
        const turn = Promise.withResolvers<void>();
        lines.add(key, turn);
        if (lines.size > waitingMax) lines.takeFromLongest()?.reject(refusal());
        return turn.promise;
      };
      return async (key, work) => {
        if (running < atOnceMax) running += 1;
        else await waitForTurn(key);
        try {
          return await work();
        } finally {
          // The next one takes over the slot.
          const next = takeNext();
          if (next === null) running -= 1;
          else next.resolve();
        }
      };
    },
  };
}
