import type { LoadClaim, LoadStore } from '@access-admin/store';
import type { EndedJob, JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX, failedForGood } from '../leased/attempts.ts';
import { type LeasedWork, runsAlone } from '../leased/loop.ts';
import { createPauses, type PauseDeps } from '../leased/pause.ts';
import { type FailedJob, settleFailure } from '../leased/settle.ts';
import { waitedMs } from '../leased/waited.ts';

export interface LoadWorkDeps extends PauseDeps {
  readonly loads: Pick<LoadStore, 'claim' | 'renew' | 'release' | 'advance' | 'fail'>;
  readonly log: Pick<Logger, 'error'>;
  readonly leaseMs: number;
  onJobEnd(job: EndedJob): void;
  /** Milliseconds since 1970. */
  now(): number;
}

// Their writes run one after the other anyway.
const LOADS_AT_ONCE_MAX = 2;
const RENEW_EVERY_MS = 1_000;
const IDLE_MS = 1_000;

/** Applies loads of sources, several at the same time but one of each tenant. */
export function createLoadWork(deps: LoadWorkDeps): LeasedWork<LoadClaim> {
  const { loads, now, leaseMs } = deps;
  const underway = new Set<LoadClaim>();
  return {
    leaseMs,
    renewEveryMs: Math.min(leaseMs / 4, RENEW_EVERY_MS),
    arisesFrom: ['any'],
    idleMs: () => IDLE_MS,
    tenantOf: ({ tenant }) => tenant,
    isAlone: runsAlone,
    claim: async () => {
      const limit = LOADS_AT_ONCE_MAX - underway.size;
      if (limit === 0) return [];
      const held = new Map(Array.from(underway, ({ tenant }) => [tenant, 1]));
      const claims = await loads.claim({ nowMs: now(), leaseMs, limit, tenantMax: 1, held });
      for (const claim of claims) underway.add(claim);
      return claims;
    },
    renew: loads.renew,
    run: async (claim, { signal }) => {
      try {
        await applyLoad(deps, claim, signal);
      } finally {
        underway.delete(claim);
      }
    },
  };
}

async function applyLoad(deps: LoadWorkDeps, claim: LoadClaim, signal: AbortSignal): Promise<void> {
  const { loads, now } = deps;
  const { tenant, loadId, committed, attempts: attempt } = claim;
  const startedMs = now();
  const { pause, end } = createPauses(deps, { signal });
  const fail = (message: string) => loads.fail(claim, { now: timeOf(now()), message });
  const outcome = await advanceToEnd(deps, claim, pause).catch((err) => {
    const isLost = signal.reason === 'lost';
    const release: FailedJob['release'] = (later) => loads.release(claim, later);
    return settleFailure(
      deps,
      { kind: 'load', tenant, attempts: attempt, ids: { loadId }, isLost, release, fail },
      err,
    );
  });
  deps.onJobEnd({
    kind: 'load',
    tenant,
    ids: { loadId },
    startedMs,
    waitedMs: waitedMs(committed, startedMs),
    workedMs: end(),
    attempt,
    outcome,
    traceparent: null,
  });
}

/** Takes one step of a load after the other. */
async function advanceToEnd(
  { loads, now }: LoadWorkDeps,
  claim: LoadClaim,
  pause: ReturnType<typeof createPauses>['pause'],
): Promise<JobOutcome> {
  if (claim.attempts > ATTEMPTS_MAX) {
    // The worker of the last attempt died.
    await loads.fail(claim, { now: timeOf(now()), message: failedForGood('load') });
    return 'error';
  }
  for (;;) {
    await pause();
    const step = await loads.advance(claim, { now: timeOf(now()), pause });
    if (step !== 'more') return step === 'done' ? 'success' : 'lost';
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
