import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { SodCheck } from '@access-admin/domain';
import type { CheckQueue, Store } from '@access-admin/store';
import { createWatches, type Watch } from './watches.ts';

export interface AwaitCheckRequest {
  readonly tenant: string;
  readonly requestId: string;
  /** How long to wait for the result; 0 answers at once. */
  readonly waitMs: number;
  /** The caller is gone. */
  readonly signal: AbortSignal;
}

/** Reads a check, waiting for its result as long as asked; null when there is no such check. */
export type AwaitCheck = (request: AwaitCheckRequest) => Promise<SodCheck | null>;

export interface AwaitCheckDeps {
  readonly checks: Pick<CheckQueue, 'find'>;
  readonly onCommit: Store['onCommit'];
  /** The service is stopping: whoever waits gets the state as it is. */
  readonly stopping: AbortSignal;
}

// Under load commits come by the hundred: all that fall in this time are looked into once.
const GATHER_MS = 5;
// However many wait, so many reads are under way for them at once: the storage is there for others too.
const READS_MAX = 2;

/** Wakes waiting readers by commits instead of polling. Those of one check share its reads, and tenants take turns. */
export function createAwaitCheck({ checks, onCommit, stopping }: AwaitCheckDeps): AwaitCheck {
  const watches = createWatches();
  let isLooking = false;
  let isStale = false;

  const read = async (watch: Watch) => {
    const reading = checks.find(watch.tenant, watch.requestId);
    const check = await reading.catch(() => null);
    if (check?.state !== 'PENDING') watches.settle(watch, reading);
  };
  const look = async () => {
    isLooking = true;
    while (isStale) {
      await wait(GATHER_MS);
      isStale = false;
      const inTurn = watches.inTurn().values();
      const lane = async () => {
        for (const watch of inTurn) {
          if (watches.isWatched(watch)) await read(watch);
          await nextTurn();
        }
      };
      await Promise.all(Array.from({ length: READS_MAX }, lane));
    }
    isLooking = false;
  };
  onCommit(() => {
    isStale = true;
    if (!isLooking) void look();
  });

  return async ({ tenant, requestId, waitMs, signal }) => {
    if (waitMs === 0) return checks.find(tenant, requestId);
    const ended = AbortSignal.any([AbortSignal.timeout(waitMs), signal, stopping]);
    // Before the read: a commit between the read and the wait is not missed.
    const watch = watches.join(tenant, requestId);
    try {
      const check = await checks.find(tenant, requestId);
      if (check?.state !== 'PENDING' || ended.aborted) return check;
      await Promise.race([watch.settled, abortion(ended)]);
      return ended.aborted ? await checks.find(tenant, requestId) : await watch.settled;
    } finally {
      watches.leave(watch);
    }
  };
}

const abortion = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
