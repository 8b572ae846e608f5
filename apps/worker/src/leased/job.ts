import type { Leases } from '@access-admin/store';
import type { EndedJob, JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX, failedForGood } from './attempts.ts';
import { type LeasedWork, runsAlone, type Underway } from './loop.ts';
import { createPauses, type Pause, type PauseDeps } from './pause.ts';
import { type FailedJob, settleFailure } from './settle.ts';
import { waitedMs } from './waited.ts';

/** A kind of job: how its claims are run, and what is reported of them. */
export interface LeasedJob<Claim> {
  readonly kind: FailedJob['kind'];
  readonly leases: Leases<Claim>;
  /** How many a worker runs at the same time. */
  atOnceMax(): number;
  /** How many of them may be of one tenant; all if left out. */
  readonly tenantMax?: number;
  idsOf(claim: Claim): FailedJob['ids'];
  /** Since when it could be run, in ISO 8601; not known if left out. */
  sinceOf?(claim: Claim): string;
  /** 1 for the first; always if left out. */
  attemptOf?(claim: Claim): number;
  /** Runs and settles a job. After a rejection it is released for a later attempt, or failed. */
  run(claim: Claim, running: RunningJob): Promise<JobOutcome>;
  /**
   * Fails a job for good, after its last attempt. Only a job that could end its worker needs this, and it runs alone from its third
   * attempt on; others are tried for ever.
   */
  fail?(claim: Claim, message: string): Promise<unknown>;
}

interface RunningJob extends Pick<Underway, 'signal'> {
  readonly pause: Pause;
  /** Adds ids to the report of its end. */
  note(ids: EndedJob['ids']): void;
}

export interface LeasedJobDeps extends PauseDeps {
  readonly log: Pick<Logger, 'error'>;
  readonly leaseMs: number;
  onJobEnd(job: EndedJob): void;
  /** Milliseconds since 1970. */
  now(): number;
}

interface OfTenant {
  readonly tenant: string;
}

const RENEW_EVERY_MS = 1_000;
const IDLE_MS = 1_000;

/** Work of which each claim is a job by itself: claimed while there is room, run, and reported at its end. */
export function createLeasedJob<Claim extends OfTenant>(job: LeasedJob<Claim>, deps: LeasedJobDeps): LeasedWork<Claim> {
  const { leases } = job;
  const { now, leaseMs } = deps;
  const underway = new Set<Claim>();
  return {
    leaseMs,
    renewEveryMs: Math.min(leaseMs / 4, RENEW_EVERY_MS),
    arisesFrom: ['any'],
    idleMs: () => IDLE_MS,
    tenantOf: ({ tenant }) => tenant,
    isAlone: (claim) => job.fail !== undefined && runsAlone({ attempts: attemptOf(job, claim) }),
    claim: async () => {
      const atOnceMax = job.atOnceMax();
      const limit = atOnceMax - underway.size;
      if (limit <= 0) return [];
      const { tenantMax = atOnceMax } = job;
      const byTenant = Map.groupBy(underway, ({ tenant }) => tenant);
      const held = new Map(Array.from(byTenant, ([tenant, { length }]) => [tenant, length]));
      const claims = await leases.claim({ nowMs: now(), leaseMs, limit, tenantMax, held });
      for (const claim of claims) underway.add(claim);
      return claims;
    },
    renew: leases.renew,
    run: async (claim, { signal }) => {
      try {
        await runToEnd(job, deps, claim, signal);
      } finally {
        underway.delete(claim);
      }
    },
  };
}

const attemptOf = <Claim>(job: LeasedJob<Claim>, claim: Claim): number => job.attemptOf?.(claim) ?? 1;

async function runToEnd<Claim extends OfTenant>(
  job: LeasedJob<Claim>,
  deps: LeasedJobDeps,
  claim: Claim,
  signal: Underway['signal'],
): Promise<void> {
  const { kind, leases, fail } = job;
  const { tenant } = claim;
  const startedMs = deps.now();
  const attempt = attemptOf(job, claim);
  const ids = job.idsOf(claim);
  const since = job.sinceOf?.(claim);
  const { pause, end } = createPauses(deps, { signal });
  let noted: EndedJob['ids'] = {};
  const note = (more: EndedJob['ids']) => {
    noted = { ...noted, ...more };
  };
  const run = async (): Promise<JobOutcome> => {
    if (fail === undefined || attempt <= ATTEMPTS_MAX) return job.run(claim, { signal, pause, note });
    // The worker of the last attempt died.
    await fail(claim, failedForGood(kind));
    return 'error';
  };
  const outcome = await run().catch((err: unknown) =>
    settleFailure(
      deps,
      {
        kind,
        tenant,
        attempts: attempt,
        ids,
        isLost: signal.reason === 'lost',
        release: (release) => leases.release(claim, release),
        ...(fail !== undefined && { fail: (message) => fail(claim, message) }),
      },
      err,
    ),
  );
  deps.onJobEnd({
    kind,
    tenant,
    ids: { ...ids, ...noted },
    startedMs,
    waitedMs: since === undefined ? null : waitedMs(since, startedMs),
    workedMs: end(),
    attempt,
    outcome,
    traceparent: null,
  });
}
