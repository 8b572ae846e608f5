import { LONG_CHECKS_MAX } from '@access-admin/domain';
import { createSemaphore } from '@access-admin/scheduling';
import type { CheckQueue, ClaimedCheck } from '@access-admin/store';
import type { EndedJob } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import type { BackoffDeps } from '../leased/backoff.ts';
import type { LeasedWork } from '../leased/loop.ts';
import type { PauseDeps } from '../leased/pause.ts';
import { waitedMs } from '../leased/waited.ts';
import { createCheckClaims } from './claim.ts';
import { createConcludeJob } from './conclude.ts';
import type { CheckConclusion, CheckJob, OnCheckEnd } from './held.ts';
import type { UnstoredResult } from './result.ts';
import { type RunCheckDeps, runCheck } from './run.ts';
import { createSettlement } from './settle.ts';
import type { Trials } from './trials.ts';

export interface CheckWorkDeps extends RunCheckDeps, PauseDeps, BackoffDeps {
  readonly checks: Pick<CheckQueue, 'claim' | 'complete' | 'release' | 'renew' | 'giveBack' | 'nextClaimableAtMs'>;
  readonly trials: Trials;
  beforeTrial(): Promise<void>;
  readonly log: Pick<Logger, 'debug' | 'error'>;
  readonly leaseMs: number;
  onJobEnd(job: EndedJob): void;
  /** Is told of each result that was stored, or that another worker has stored before. */
  onVerdict(check: ClaimedCheck, verdict: CheckConclusion['verdict']): void;
}

/** Concludes checks. */
export function createCheckWork(deps: CheckWorkDeps): LeasedWork<CheckJob> {
  const { checks: queue, log, leaseMs } = deps;
  const onEnd: OnCheckEnd = ({ claim, claimedMs, workedMs }, outcome) =>
    deps.onJobEnd({
      kind: 'check',
      tenant: claim.tenant,
      ids: { requestId: claim.requestId, identityId: claim.identityId },
      startedMs: claimedMs,
      waitedMs: waitedMs(claim.created, claimedMs),
      workedMs,
      attempt: claim.attempts,
      outcome,
      traceparent: claim.origin?.traceparent ?? null,
    });
  const onStored = ({ check, verdict }: UnstoredResult) => deps.onVerdict(check.claim, verdict);
  const settlement = createSettlement({ ...deps, queue, onStored, onLost: () => claims.noteLost() });
  const claims = createCheckClaims({ ...deps, queue, onEnd, lockedTenants: settlement.lockedTenants });
  const run = createConcludeJob({
    ...deps,
    queue,
    claims,
    settlement,
    longChecks: createSemaphore({ capacity: LONG_CHECKS_MAX, tenantMax: 1, elapsed: deps.now }),
    runCheck: (claim, pause) => runCheck(deps, claim, pause),
  });
  return {
    leaseMs,
    renewEveryMs: leaseMs / 4,
    claim: () => {
      settlement.flush();
      return claims.claim();
    },
    arisesFrom: ['checks'],
    idleMs: claims.idleMs,
    tenantOf: ({ tenant }) => tenant,
    renew: async (jobs, leaseEndMs) => {
      const held = jobs.flatMap(({ checks }) => checks).filter((check) => !check.isEnded && !check.isBeingStored);
      const kept = new Set(
        await queue.renew(
          held.map(({ claim }) => claim),
          leaseEndMs,
        ),
      );
      const lost = held.filter((check) => !kept.has(check.claim) && !check.isEnded && !check.isBeingStored);
      for (const check of lost) check.end('lost');
      if (lost.length > 0) {
        log.debug({ checks: lost.length }, 'checks left to other workers');
        claims.noteLost();
        // Their leases ended because the process had no time for them, which says nothing about the checks.
        await queue.giveBack(lost.map(({ claim }) => claim));
      }
      return jobs.filter(({ checks }) => checks.some(({ isEnded }) => !isEnded));
    },
    run,
  };
}
