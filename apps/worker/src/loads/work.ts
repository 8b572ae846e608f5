import { type LoadClaim, type LoadStore, StorageUnavailable, TenantRemoved } from '@access-admin/store';
import type { EndedJob, JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX, failedForGood, retryDelayMs } from '../leased/attempts.ts';
import { type LeasedWork, runsAlone } from '../leased/loop.ts';
import { createPauses, type PauseDeps, WorkStopped } from '../leased/pause.ts';
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
const RETRY_FIRST_MS = 500;
const RETRY_STORAGE_MS = 5_000;

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
  const { log, now } = deps;
  const { tenant, loadId, committed, attempts: attempt } = claim;
  const startedMs = now();
  const { pause, end } = createPauses(deps, { signal });
  const outcome = await advanceToEnd(deps, claim, pause).catch((err) =>
    // If the failure cannot be stored, another worker takes the load when its lease ends.
    settleFailure(deps, claim, { err, isLost: signal.reason === 'lost' }).catch((cause): JobOutcome => {
      if (cause instanceof TenantRemoved) return 'lost';
      log.error({ err: cause }, 'a load is left until its lease ends');
      return 'retry';
    }),
  );
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

/** Releases a load for a later attempt, or ends it when this was its last attempt. */
async function settleFailure(
  { loads, log, now }: LoadWorkDeps,
  claim: LoadClaim,
  { err, isLost }: { readonly err: unknown; readonly isLost: boolean },
): Promise<JobOutcome> {
  if (isLost || err instanceof TenantRemoved) return 'lost';
  if (err instanceof WorkStopped) {
    await loads.release(claim, { availableAtMs: 0, isAttempt: false });
    return 'stopped';
  }
  const { tenant, loadId, attempts } = claim;
  log.error({ err, tenant, loadId, attempts }, 'a load failed');
  const isStorageUnavailable = err instanceof StorageUnavailable;
  if (!isStorageUnavailable && attempts >= ATTEMPTS_MAX) {
    await loads.fail(claim, { now: timeOf(now()), message: failedForGood('load') });
    return 'error';
  }
  const delayMs = isStorageUnavailable ? RETRY_STORAGE_MS : retryDelayMs(attempts, RETRY_FIRST_MS);
  await loads.release(claim, { availableAtMs: now() + delayMs, isAttempt: !isStorageUnavailable });
  return 'retry';
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
