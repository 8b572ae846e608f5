import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { CheckQueue, Store, StoredCheck } from '@access-admin/store';
import { createWatches, type Watch } from './watches.ts';

export interface AwaitCheckRequest {
  readonly tenant: string;
  readonly requestId: string;
  /** How long to wait for the result; 0 answers at once. */
  readonly waitMs: number;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
}

/** Reads a check and waits for its result as long as requested; null for an unknown check. */
export type AwaitCheck = (request: AwaitCheckRequest) => Promise<StoredCheck | null>;

export interface AwaitCheckDeps {
  readonly checks: Pick<CheckQueue, 'find'>;
  readonly onCommit: Store['onCommit'];
  /** Aborted when the service stops: waiting requests get the present state. */
  readonly stopping: AbortSignal;
}

// Under load there are hundreds of commits a second: all within a pause after a round of reads cause one round. It lasts a
// millisecond for each check that was read, and this long at most, so that a few requests are answered sooner.
const PAUSE_MS_MAX = 5;
// Concurrent reads for all waiting requests together, so that the storage stays free for others.
const READS_MAX = 2;

/** Reads waiting checks after commits instead of polling. Requests for one check share its reads, and tenants take turns. */
export function createAwaitCheck({ checks, onCommit, stopping }: AwaitCheckDeps): AwaitCheck {
  const watches = createWatches();
  let isReading = false;
  let isStale = false;

  const read = async (watch: Watch) => {
    const reading = checks.find(watch.tenant, watch.requestId);
    // Those that wait get a failure, too, and null for a check that is gone.
    const isSettled = await reading.then(
      (check) => check?.state !== 'PENDING',
      () => true,
    );
    if (isSettled) watches.settle(watch, reading);
  };
  const readWatched = async () => {
    isReading = true;
    while (isStale) {
      isStale = false;
      const watched = watches.listByTurns();
      const pending = watched.values();
      const readPending = async () => {
        for (const watch of pending) {
          if (watches.isWatched(watch)) await read(watch);
          await nextTurn();
        }
      };
      await Promise.all(Array.from({ length: READS_MAX }, readPending));
      if (watched.length > 0) await wait(Math.min(watched.length, PAUSE_MS_MAX));
    }
    isReading = false;
  };
  onCommit((arising) => {
    // Of these, none is the end of a check.
    if (arising === 'checks' || arising === 'register') return;
    isStale = true;
    if (!isReading) void readWatched();
  });

  return async ({ tenant, requestId, waitMs, signal }) => {
    if (waitMs === 0) return checks.find(tenant, requestId);
    const ended = AbortSignal.any([AbortSignal.timeout(waitMs), signal, stopping]);
    // Before the read, so that a commit between the read and the wait is not missed.
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
