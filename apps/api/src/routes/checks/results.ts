import { LARGE_RESULTS_BYTES_MAX } from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import type { CheckQueue, StoredCheck } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import { createSharedRoom, type RoomShare } from '../../rooms/shared-room.ts';
import type { RoomMetrics } from '../../telemetry/room-metrics.ts';
import { roomFull } from '../answers/room-full.ts';

/** The text of a large result, and the room that it has. */
export interface HeldResult {
  /** Once there is room for it. */
  readonly text: Promise<Result<string, ApiFailure>>;
  /** Gives the room back when all holders have. */
  release(): void;
}

/** Large results in memory, in room that the tenants share. All holders of one result share its text and its room. */
export interface CheckResults {
  hold(tenant: string, check: StoredCheck): HeldResult;
}

interface SharedResult {
  readonly text: Promise<Result<string, ApiFailure>>;
  readonly share: RoomShare;
  holders: number;
}

export interface CheckResultsDeps extends Pick<CheckQueue, 'readResult'> {
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly metrics: RoomMetrics;
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
  const options = { size: bytesMax, waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX, elapsed };
  const room = metrics.addRoom('results', createSharedRoom(options));
  const held = new Map<string, SharedResult>();

  const open = (tenant: string, { requestId, resultBytes }: StoredCheck): SharedResult => {
    const share = room.open(tenant);
    const read = async (): Promise<Result<string, ApiFailure>> => {
      const taken = await share.take(resultBytes);
      if (!taken.ok) return fail(roomFull(taken.failure, RESULTS_FULL));
      return ok((await readResult(tenant, requestId)) ?? 'null');
    };
    return { text: read(), share, holders: 0 };
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
        shared.share.release();
      };
      return { text: shared.text, release };
    },
  };
}
