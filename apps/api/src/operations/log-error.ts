import { StorageUnavailable } from '@access-admin/store';
import { Unavailable } from '../auth/unavailable.ts';
import { CallerLeft, DeadlineExceeded } from '../event-loop/deadline.ts';
import { MemoryExceeded } from '../event-loop/memory-exceeded.ts';
import type { RequestLog } from '../telemetry/request-log.ts';

/** Logs an error that no response can tell of. That the caller has left, or a limit ends the answer, is no error. */
export function logError(error: unknown, trackingId: string, log: Pick<RequestLog, 'error'>): void {
  if (error instanceof CallerLeft || error instanceof DeadlineExceeded || error instanceof MemoryExceeded) return;
  if (error instanceof StorageUnavailable || error instanceof Unavailable)
    log.error({ trackingId, reason: error.message }, error.name);
  else log.error({ trackingId, err: error }, 'bug');
}
