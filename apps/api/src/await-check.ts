import type { SodCheck } from '@access-admin/domain';
import type { CheckQueue, Store } from '@access-admin/store';

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
  readonly checks: CheckQueue;
  readonly onCommit: Store['onCommit'];
  /** The service is stopping: whoever waits gets the state as it is. */
  readonly stopping: AbortSignal;
}

// Under load commits come by the hundred: all that fall in this time wake the readers once.
const GATHER_MS = 5;

/** Wakes waiting readers by commits instead of polling. */
export function createAwaitCheck({ checks, onCommit, stopping }: AwaitCheckDeps): AwaitCheck {
  let committed = Promise.withResolvers<void>();
  let isGathering = false;
  onCommit(() => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      committed.resolve();
      committed = Promise.withResolvers();
    }, GATHER_MS);
  });
  return async ({ tenant, requestId, waitMs, signal }) => {
    const ended = waitMs === 0 ? AbortSignal.abort() : AbortSignal.any([AbortSignal.timeout(waitMs), signal, stopping]);
    const end = abortion(ended);
    for (;;) {
      // Taken before the read: a commit between the read and the wait is not missed.
      const next = committed.promise;
      const check = await checks.find(tenant, requestId);
      if (check === null || check.state !== 'PENDING' || ended.aborted) return check;
      await Promise.race([next, end]);
    }
  };
}

const abortion = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
