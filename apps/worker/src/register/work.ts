import { type RegisterClaim, StorageUnavailable, TenantRemoved } from '@access-admin/store';
import type { EndedJob, JobOutcome } from '@access-admin/telemetry';
import type { LeasedWork, Underway } from '../leased/loop.ts';
import { createPauses, LeaseLost, type PauseDeps, WorkStopped } from '../leased/pause.ts';
import { waitedMs } from '../leased/waited.ts';
import { type RunRoundDeps, runRound } from './run.ts';

export interface RegisterWorkDeps extends Omit<RunRoundDeps, 'pause'>, PauseDeps {
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
const IDLE_MS = 1_000;
const RETRY_MS = 2_000;
// Registers that another worker has compared this lately are not compared again when this one starts.
const COMPARED_LATELY_MS = 60_000;

/** Keeps the registers of all tenants, several at the same time, by one round of each. */
export function createRegisterWork(deps: RegisterWorkDeps): LeasedWork<RegisterClaim> {
  const { register, now, leaseMs } = deps;
  const lost = new Set<RegisterClaim>();
  let restingUntilMs = 0;
  let underwayCount = 0;
  let isStarted = false;
  let hasClaimed = false;

  const start = async () => {
    const nowMs = now();
    const comparedBefore = new Date(nowMs - COMPARED_LATELY_MS).toISOString();
    await register.demandComparisons(new Date(nowMs).toISOString(), comparedBefore);
    isStarted = true;
  };

  return {
    leaseMs,
    renewEveryMs: Math.min(leaseMs / 4, RENEW_EVERY_MS),
    arisesFrom: ['any', 'register'],
    idleMs: () => (now() < restingUntilMs ? REST_MS : hasClaimed ? LOOK_EVERY_MS : IDLE_MS),
    tenantOf: ({ tenant }) => tenant,
    claim: async () => {
      const claimed: RegisterClaim[] = [];
      if (!isStarted) await start();
      while (underwayCount < ROUNDS_AT_ONCE_MAX) {
        const claim = await register.claim({ nowMs: now(), leaseMs }).catch((err) => {
          // What was claimed before is done.
          if (claimed.length === 0) throw err;
          return null;
        });
        if (claim === null) break;
        hasClaimed = true;
        underwayCount += 1;
        claimed.push(claim);
      }
      return claimed;
    },
    renew: async (claims, leaseEndMs) => {
      const held: RegisterClaim[] = [];
      for (const claim of claims)
        if (await register.renew(claim, leaseEndMs)) held.push(claim);
        else lost.add(claim);
      return held;
    },
    run: async (claim, { signal }) => {
      try {
        const restMs = await keepRegister(deps, claim, { signal, isLost: () => lost.has(claim) });
        restingUntilMs = now() + restMs;
      } finally {
        underwayCount -= 1;
        lost.delete(claim);
      }
    },
  };
}

interface Keeping extends Pick<Underway, 'signal'> {
  isLost(): boolean;
}

/** Runs a round, and releases the register. Returns how long it rests then, in milliseconds. */
async function keepRegister(
  deps: RegisterWorkDeps,
  claim: RegisterClaim,
  { signal, isLost }: Keeping,
): Promise<number> {
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
    const workedMs = endRound('success', { changed });
    return await release(Math.max(changed === 0 && !isBehind ? REST_MS : 0, Math.min(workedMs, REST_MS_MAX)));
  } catch (err) {
    if (err instanceof LeaseLost || err instanceof TenantRemoved || isLost()) {
      endRound('lost');
      return 0;
    }
    const isStopped = err instanceof WorkStopped;
    if (!isStopped) log.error({ err, tenant }, 'the register of a tenant could not be brought up to date');
    endRound(isStopped ? 'stopped' : 'retry');
    return await release(isStopped ? 0 : err instanceof StorageUnavailable ? RETRY_MS : RETRY_MS * 2);
  }
}
