import { LARGE_RESULTS_BYTES_MAX } from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import { createSemaphore, type Slot } from '@access-admin/scheduling';
import type { CheckQueue, StoredCheck } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import type { SemaphoreMetrics } from '../../telemetry/semaphore-metrics.ts';
import { noCapacity } from '../answers/no-capacity.ts';

/** The text of a large result, and the memory that it holds. */
export interface HeldResult {
  /** Once there is memory for it. */
  readonly text: Promise<Result<string, ApiFailure>>;
  /** Gives the memory back when all holders have. */
  release(): void;
}

/** Large results in memory that the tenants share. All holders of one result share its text. */
export interface CheckResults {
  hold(tenant: string, check: StoredCheck): HeldResult;
}

interface SharedResult {
  readonly text: Promise<Result<string, ApiFailure>>;
  readonly slot: Slot;
  holders: number;
}

export interface CheckResultsDeps extends Pick<CheckQueue, 'readResult'> {
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly metrics: SemaphoreMetrics;
  readonly bytesMax?: number;
}

const WAITING_MAX = 1_000;
const WAIT_MS_MAX = 10_000;
const RESULTS_FULL = 'The tenant has too many results of checks under way: take them first.';

export function createCheckResults({
  readResult,
  elapsed,
  metrics,
  bytesMax = LARGE_RESULTS_BYTES_MAX,
}: CheckResultsDeps): CheckResults {
  const options = { capacity: bytesMax, waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX, elapsed };
  const memory = metrics.addSemaphore('results', createSemaphore(options));
  const held = new Map<string, SharedResult>();

  const open = (tenant: string, { requestId, resultBytes }: StoredCheck): SharedResult => {
    const slot = memory.open(tenant);
    const read = async (): Promise<Result<string, ApiFailure>> => {
      const acquired = await slot.acquire(resultBytes);
      if (!acquired.ok) return fail(noCapacity(acquired.failure, RESULTS_FULL));
      return ok((await readResult(tenant, requestId)) ?? 'null');
    };
    return { text: read(), slot, holders: 0 };
  };
  return {
    hold(tenant, check) {
      const key = `${tenant} ${check.requestId}`;
      const shared = held.get(key) ?? open(tenant, check);
      held.set(key, shared);
      shared.holders += 1;
      const release = () => {
        shared.holders -= 1;
        if (shared.holders > 0) return;
        if (held.get(key) === shared) held.delete(key);
        shared.slot.release();
      };
      return { text: shared.text, release };
    },
  };
}
