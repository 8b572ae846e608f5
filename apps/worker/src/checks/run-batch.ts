import { setImmediate } from 'node:timers/promises';
import type { CheckOutcome } from '@access-admin/domain';
import { type CheckQueue, type ClaimedCheck, StorageUnavailable } from '@access-admin/store';
import type { Logger } from 'pino';
import { type RunCheckDeps, runCheck } from './run.ts';
import type { Settlement } from './settle.ts';

export interface BatchDeps extends RunCheckDeps {
  readonly checks: Pick<CheckQueue, 'claim'>;
  readonly log: Pick<Logger, 'debug' | 'error'>;
}

/** Claims checks, concludes them and stores the results; resolves with the number of checks claimed. */
export type RunBatch = (claimable: { readonly limit: number; readonly attemptsMax: number }) => Promise<number>;

export function createRunBatch(deps: BatchDeps, settlement: Settlement, leaseMs: number): RunBatch {
  const { log, now } = deps;
  return async (claimable) => {
    const startMs = now();
    const claims = await deps.checks.claim({ nowMs: startMs, leaseMs, ...claimable });
    if (claims.length === 0) return 0;
    let isStorageUnavailable = false;
    for (const [place, claim] of claims.entries()) {
      // A slow batch must not outlive its lease: the remaining checks are released, and each gets a new lease later.
      if (place > 0 && (isStorageUnavailable || now() - startMs > leaseMs / 2)) settlement.giveBack(claim);
      else isStorageUnavailable = (await concludeCheck(deps, settlement, claim)) === 'storageUnavailable';
    }
    await settlement.store();
    log.debug({ checks: claims.length, ms: now() - startMs }, 'batch stored');
    return claims.length;
  };
}

async function concludeCheck(
  deps: BatchDeps,
  settlement: Settlement,
  claim: ClaimedCheck,
): Promise<'done' | 'storageUnavailable'> {
  try {
    settlement.conclude(claim, await runToOutcome(deps, claim));
    return 'done';
  } catch (err) {
    const { tenant, requestId, attempts } = claim;
    deps.log.error({ err, tenant, requestId, attempts }, 'a check failed');
    settlement.fail(claim);
    return err instanceof StorageUnavailable ? 'storageUnavailable' : 'done';
  }
}

async function runToOutcome(deps: RunCheckDeps, claim: ClaimedCheck): Promise<CheckOutcome> {
  const steps = runCheck(deps, claim);
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
