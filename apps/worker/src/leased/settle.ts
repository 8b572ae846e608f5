import { StorageUnavailable, TenantRemoved } from '@access-admin/store';
import type { JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX, failedForGood, retryDelayMs } from './attempts.ts';
import { LeaseLost, WorkStopped, WorkTooLong } from './pause.ts';

/** A claimed report or load that has ended without an outcome. */
export interface FailedJob {
  readonly kind: 'report' | 'load';
  readonly tenant: string;
  readonly attempts: number;
  /** Its ids in the log. */
  readonly ids: Readonly<Record<string, string>>;
  /** Whether its lease is known to be lost. */
  readonly isLost: boolean;
  /** The message of a job whose time is bounded. */
  readonly tooLong?: string;
  /** Gives it back, for a later attempt. */
  release(later: { readonly availableAtMs: number; readonly isAttempt: boolean }): Promise<unknown>;
  /** Ends it with a message. */
  fail(message: string): Promise<unknown>;
}

interface SettleDeps {
  readonly log: Pick<Logger, 'error'>;
  /** Milliseconds since 1970. */
  now(): number;
}

const RETRY_FIRST_MS = 1_000;
const RETRY_STORAGE_MS = 5_000;

/**
 * Releases a job for a later attempt, or ends it when this was its last attempt. If that cannot be stored, another worker takes
 * the job when its lease ends.
 */
export async function settleFailure(deps: SettleDeps, job: FailedJob, err: unknown): Promise<JobOutcome> {
  try {
    return await settle(deps, job, err);
  } catch (cause) {
    if (cause instanceof TenantRemoved) return 'lost';
    deps.log.error({ err: cause }, `a ${job.kind} is left until its lease ends`);
    return 'retry';
  }
}

async function settle({ log, now }: SettleDeps, job: FailedJob, err: unknown): Promise<JobOutcome> {
  if (job.isLost || err instanceof LeaseLost || err instanceof TenantRemoved) return 'lost';
  if (err instanceof WorkStopped) {
    await job.release({ availableAtMs: 0, isAttempt: false });
    return 'stopped';
  }
  const { kind, tenant, attempts, ids, tooLong } = job;
  if (err instanceof WorkTooLong && tooLong !== undefined) {
    await job.fail(tooLong);
    return 'error';
  }
  log.error({ err, tenant, ...ids, attempts }, `a ${kind} failed`);
  const isStorageUnavailable = err instanceof StorageUnavailable;
  if (!isStorageUnavailable && attempts >= ATTEMPTS_MAX) {
    await job.fail(failedForGood(kind));
    return 'error';
  }
  const delayMs = isStorageUnavailable ? RETRY_STORAGE_MS : retryDelayMs(attempts, RETRY_FIRST_MS);
  await job.release({ availableAtMs: now() + delayMs, isAttempt: !isStorageUnavailable });
  return 'retry';
}
