import { LONG_CHECKS_MAX } from '@access-admin/contract';
import { createSemaphore } from '@access-admin/scheduling';
import type { CheckQueue, ClaimedCheck } from '@access-admin/store';
import type { EndedJob } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import type { BackoffDeps } from '../leased/backoff.ts';
import { type LeasedWork, runsAlone } from '../leased/loop.ts';
import type { PauseDeps } from '../leased/pause.ts';
import { waitedMs } from '../leased/waited.ts';
import { createConcludeJob } from './conclude.ts';
import { type CheckConclusion, type CheckJob, type HeldCheck, holdCheck } from './held-check.ts';
import { RESULTS_LENGTH_MAX } from './results.ts';
import { type RunCheckDeps, runCheck } from './run.ts';

export interface CheckWorkDeps extends RunCheckDeps, PauseDeps, BackoffDeps {
  readonly checks: Pick<CheckQueue, 'claim' | 'complete' | 'release' | 'renew'>;
  readonly log: Pick<Logger, 'debug' | 'error'>;
  readonly leaseMs: number;
  onJobEnd(job: EndedJob): void;
  /**
   * Called for each result that was to be stored, also where another worker has taken the check:
   * a repeated write has no effect either.
   */
  onVerdict(check: ClaimedCheck, verdict: CheckConclusion['verdict']): void;
}

const BATCH_MAX = 100;
/** The checks that are held at the same time; at most half of them are of one tenant. */
const HELD_MAX = 400;
const TENANT_MAX = HELD_MAX / 2;
const IDLE_MS = 1_000;
/** The longest rest after another worker has taken checks from this one. Without it, workers with skewed clocks keep stealing each other's checks. */
const LOST_REST_MS_MAX = 1_000;

/** Claims checks, concludes those of a tenant one after the other, and stores their results. */
export function createCheckWork(deps: CheckWorkDeps): LeasedWork<CheckJob> {
  const { checks: queue, log, leaseMs, now, random } = deps;
  const held = new Set<HeldCheck>();
  let rest = { sinceMs: 0, ms: 0 };
  const onLost = () => {
    rest = { sinceMs: now(), ms: Math.min(leaseMs, LOST_REST_MS_MAX) * (0.5 + random() / 2) };
  };
  const isResting = () => Math.abs(now() - rest.sinceMs) < rest.ms;
  const onEnd = (check: HeldCheck, outcome: EndedJob['outcome']) => {
    const { claim, claimedMs, workedMs } = check;
    held.delete(check);
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
  };
  const heldByTenant = (): ReadonlyMap<string, number> =>
    new Map(
      Array.from(
        Map.groupBy(held, ({ claim }) => claim.tenant),
        ([tenant, { length }]) => [tenant, length],
      ),
    );

  return {
    leaseMs,
    renewEveryMs: leaseMs / 4,
    arisesFrom: ['checks'],
    idleMs: () => IDLE_MS,
    tenantOf: ({ tenant }) => tenant,
    isAlone: ({ checks: [first] }) => first !== undefined && runsAlone(first.claim),
    claim: async () => {
      const limit = Math.min(BATCH_MAX, HELD_MAX - held.size);
      if (limit <= 0 || isResting()) return [];
      const nowMs = now();
      const claims = await queue.claim({ nowMs, leaseMs, limit, tenantMax: TENANT_MAX, held: heldByTenant() });
      const claimed = claims.map((claim) => holdCheck(claim, nowMs, onEnd));
      for (const check of claimed) held.add(check);
      const byTenant = Map.groupBy(claimed, ({ claim }) => claim.tenant);
      return Array.from(byTenant, ([tenant, checks]) => ({ tenant, checks }));
    },
    renew: async (jobs, leaseEndMs) => {
      const open = jobs.flatMap(({ checks }) => checks).filter(({ isEnded }) => !isEnded);
      const claims = open.map(({ claim }) => claim);
      const kept = new Set(await queue.renew(claims, leaseEndMs));
      const lost = open.filter(({ claim, isEnded }) => !kept.has(claim) && !isEnded);
      for (const check of lost) check.end('lost');
      if (lost.length > 0) {
        log.debug({ checks: lost.length }, 'checks left to other workers');
        onLost();
      }
      return jobs.filter(({ checks }) => checks.some(({ isEnded }) => !isEnded));
    },
    run: createConcludeJob({
      ...deps,
      queue,
      onLost,
      longChecks: createSemaphore({ capacity: LONG_CHECKS_MAX, tenantMax: 1, elapsed: now }),
      memory: createSemaphore({ capacity: RESULTS_LENGTH_MAX, elapsed: now }),
      runCheck: (claim, pause) => runCheck(deps, claim, pause),
    }),
  };
}
