import { StorageUnavailable, TenantRemoved } from '@access-admin/store';
import type { JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX, failedForGood, retryDelayMs } from './attempts.ts';
import { LeaseLost, WorkStopped, WorkTooLong } from './pause.ts';

/** A claimed job that has ended without an outcome. */
export interface FailedJob {
  readonly kind: keyof typeof MESSAGES;
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
  /** Ends it with a message. A job without an end is tried for ever. */
  fail?(message: string): Promise<unknown>;
}

interface SettleDeps {
  readonly log: Pick<Logger, 'error'>;
  /** Milliseconds since 1970. */
  now(): number;
}

const RETRY_FIRST_MS = 1_000;
/** After a failure that does not count as an attempt. */
const RETRY_UNCOUNTED_MS = 5_000;

const MESSAGES = {
  report: { failed: 'a report failed', left: 'a report is left until its lease ends' },
  load: { failed: 'a load failed', left: 'a load is left until its lease ends' },
  erasure: { failed: 'a person could not be erased', left: 'an erasure is left until its lease ends' },
  auditStream: {
    failed: 'the audit log of a tenant could not be streamed',
    left: 'the stream of an audit log is left until its lease ends',
  },
  mail: { failed: 'a mail could not be sent', left: 'a mail is left until its lease ends' },
} as const;

/**
 * Releases a job for a later attempt, or ends it when this was its last attempt. If that cannot be stored, another worker takes
 * the job when its lease ends.
 */
export async function settleFailure(deps: SettleDeps, job: FailedJob, err: unknown): Promise<JobOutcome> {
  try {
    return await settle(deps, job, err);
  } catch (cause) {
    if (cause instanceof TenantRemoved) return 'lost';
    deps.log.error({ err: cause }, MESSAGES[job.kind].left);
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
    await job.fail?.(tooLong);
    return 'error';
  }
  const isCounted = job.fail !== undefined;
  log.error({ err, tenant, ...ids, ...(isCounted && { attempts }) }, MESSAGES[kind].failed);
  const isAttempt = isCounted && !(err instanceof StorageUnavailable);
  if (isAttempt && attempts >= ATTEMPTS_MAX) {
    await job.fail?.(failedForGood(kind));
    return 'error';
  }
  const delayMs = isAttempt ? retryDelayMs(attempts, RETRY_FIRST_MS) : RETRY_UNCOUNTED_MS;
  await job.release({ availableAtMs: now() + delayMs, isAttempt });
  return 'retry';
}
