import type { CheckQueue } from '@access-admin/store';
import type { Logger } from 'pino';
import { retryDelayMs } from '../leased/attempts.ts';
import type { HeldCheck } from './held-check.ts';

export interface GiveBackDeps {
  readonly queue: Pick<CheckQueue, 'release'>;
  readonly log: Pick<Logger, 'error'>;
  /** Milliseconds since 1970. */
  now(): number;
}

const RETRY_FIRST_MS = 200;

/** Gives checks back before their leases end. */
export async function giveBack(
  { queue, log, now }: GiveBackDeps,
  checks: readonly HeldCheck[],
  { delayMs, isAttempt }: { readonly delayMs: number; readonly isAttempt: boolean },
  outcome: 'stopped' | 'retry',
): Promise<void> {
  if (checks.length === 0) return;
  const availableAtMs = delayMs === 0 ? 0 : now() + delayMs;
  try {
    await queue.release(
      checks.map(({ claim }) => claim),
      { availableAtMs, isAttempt },
    );
  } catch (err) {
    log.error({ err }, 'checks are left until their leases end');
  }
  for (const check of checks) check.end(outcome);
}

/** Gives a check back after an attempt that has failed. */
export const retryLater = (deps: GiveBackDeps, check: HeldCheck): Promise<void> =>
  giveBack(deps, [check], { delayMs: retryDelayMs(check.claim.attempts, RETRY_FIRST_MS), isAttempt: true }, 'retry');
