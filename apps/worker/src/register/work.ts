import { type RegisterClaim, StorageUnavailable, TenantRemoved } from '@access-admin/store';
import type { EndedJob, JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import type { LeasedWork, Underway } from '../leased/loop.ts';
import { createPauses, LeaseLost, type PauseDeps, WorkStopped } from '../leased/pause.ts';
import { waitedMs } from '../leased/waited.ts';
import { type RunRoundDeps, runRound } from './run-round.ts';

export interface RegisterWorkDeps extends Omit<RunRoundDeps, 'pause'>, PauseDeps {
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly leaseMs: number;
  onJobEnd(job: EndedJob): void;
}

const ROUNDS_AT_ONCE_MAX = 4;
const RENEW_EVERY_MS = 1_000;
// A round that found nothing to do may have met a change that is not committed yet.
const REST_MS = 100;
// A register rests for as long as its round has worked: what changes meanwhile is taken in by one round.
const REST_MS_MAX = 250;
// Instants at which time alone changes a register wake nothing.
const LOOK_EVERY_MS = 500;
const RETRY_MS = 2_000;

/** Keeps the registers of all tenants, several at the same time, by one round of each. */
export function createRegisterWork(deps: RegisterWorkDeps): LeasedWork<RegisterClaim> {
  const { register, now, leaseMs } = deps;
  let restingUntilMs = 0;
  let underwayCount = 0;
  return {
    leaseMs,
    renewEveryMs: Math.min(leaseMs / 4, RENEW_EVERY_MS),
    arisesFrom: ['any', 'register'],
    idleMs: () => (now() < restingUntilMs ? REST_MS : LOOK_EVERY_MS),
    tenantOf: ({ tenant }) => tenant,
    claim: async () => {
      const limit = ROUNDS_AT_ONCE_MAX - underwayCount;
      if (limit <= 0) return [];
      const claims = await register.claim({ nowMs: now(), leaseMs, limit });
      underwayCount += claims.length;
      return claims;
    },
    renew: register.renew,
    run: async (claim, { signal }) => {
      try {
        const restMs = await keepRegister(deps, claim, signal);
        restingUntilMs = Math.max(restingUntilMs, now() + restMs);
      } finally {
        underwayCount -= 1;
      }
    },
  };
}

/** Runs a round, and releases the register. Returns how long it rests then, in milliseconds. */
async function keepRegister(deps: RegisterWorkDeps, claim: RegisterClaim, signal: Underway['signal']): Promise<number> {
  const { register, log, now } = deps;
  const { tenant, since } = claim;
  const startedMs = now();
  const { pause, end } = createPauses(deps, { signal });
  const endRound = (outcome: JobOutcome, ids: EndedJob['ids'] = {}): number => {
    const workedMs = end();
    deps.onJobEnd({
      kind: 'round',
      tenant,
      ids: { fence: claim.fence, ...ids },
      startedMs,
      waitedMs: since === null ? null : waitedMs(since, startedMs),
      workedMs,
      attempt: 1,
      outcome,
      traceparent: null,
    });
    return workedMs;
  };
  const release = async (afterMs: number): Promise<number> => {
    await register
      .release(claim, now() + afterMs)
      .catch((err) => log.error({ err }, 'a register is left until its lease ends'));
    return afterMs;
  };
  try {
    const { changed, isBehind } = await runRound({ ...deps, pause }, claim);
    const workedMs = Math.round(endRound('success', { changed }));
    return await release(Math.max(changed === 0 && !isBehind ? REST_MS : 0, Math.min(workedMs, REST_MS_MAX)));
  } catch (err) {
    if (err instanceof LeaseLost || err instanceof TenantRemoved || signal.reason === 'lost') {
      endRound('lost');
      return 0;
    }
    const isStopped = err instanceof WorkStopped;
    if (!isStopped) log.error({ err, tenant }, 'the register of a tenant could not be brought up to date');
    endRound(isStopped ? 'stopped' : 'retry');
    return await release(isStopped ? 0 : err instanceof StorageUnavailable ? RETRY_MS : RETRY_MS * 2);
  }
}
