import { type ErasureClaim, type ErasureStep, type ErasureStore, TenantRemoved } from '@access-admin/store';
import type { EndedJob, JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import type { LeasedWork } from '../leased/loop.ts';
import { createPauses, type PauseDeps, WorkStopped } from '../leased/pause.ts';
import { waitedMs } from '../leased/waited.ts';

export interface ErasureWorkDeps extends PauseDeps {
  readonly erasures: ErasureStore;
  readonly log: Pick<Logger, 'error'>;
  readonly leaseMs: number;
  onJobEnd(job: EndedJob): void;
  /** Milliseconds since 1970. */
  now(): number;
}

const RENEW_EVERY_MS = 1_000;
const IDLE_MS = 1_000;
/** The pause after a failure. */
const RETRY_MS = 5_000;

/** Erases persons, one at a time: an erasure reads whole logs. */
export function createErasureWork(deps: ErasureWorkDeps): LeasedWork<ErasureClaim> {
  const { erasures, now, leaseMs } = deps;
  let isBusy = false;
  return {
    leaseMs,
    renewEveryMs: Math.min(leaseMs / 4, RENEW_EVERY_MS),
    arisesFrom: ['any'],
    idleMs: () => IDLE_MS,
    tenantOf: ({ tenant }) => tenant,
    claim: async () => {
      if (isBusy) return [];
      const claims = await erasures.claim({ nowMs: now(), leaseMs, limit: 1 });
      isBusy = claims.length > 0;
      return claims;
    },
    renew: erasures.renew,
    run: async (claim, { signal }) => {
      try {
        await erase(deps, claim, signal);
      } finally {
        isBusy = false;
      }
    },
  };
}

async function erase(deps: ErasureWorkDeps, claim: ErasureClaim, signal: AbortSignal): Promise<void> {
  const { erasures, log, now } = deps;
  const { tenant, pseudonym, requestedMs } = claim;
  const startedMs = now();
  const { pause, end } = createPauses(deps, { signal });
  let outcome: JobOutcome;
  try {
    outcome = OUTCOMES[await erasures.erase(claim, { nowMs: startedMs, pause: () => pause() })];
  } catch (err) {
    outcome = outcomeOf(err, signal);
    if (outcome === 'retry') log.error({ err, tenant, pseudonym }, 'a person could not be erased');
  }
  deps.onJobEnd({
    kind: 'erasure',
    tenant,
    ids: { pseudonym },
    startedMs,
    waitedMs: waitedMs(new Date(requestedMs).toISOString(), startedMs),
    workedMs: end(),
    attempt: 1,
    outcome,
    traceparent: null,
  });
  if (outcome !== 'retry' && outcome !== 'stopped') return;
  await erasures
    .release(claim, outcome === 'retry' ? now() + RETRY_MS : 0)
    .catch((err) => log.error({ err }, 'an erasure is left until its lease ends'));
}

const OUTCOMES: Readonly<Record<ErasureStep, JobOutcome>> = { done: 'success', later: 'success', lost: 'lost' };

function outcomeOf(err: unknown, signal: AbortSignal): JobOutcome {
  if (err instanceof TenantRemoved || signal.reason === 'lost') return 'lost';
  return err instanceof WorkStopped ? 'stopped' : 'retry';
}
