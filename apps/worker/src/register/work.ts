import { type RegisterClaim, StorageUnavailable } from '@access-admin/store';
import type { Lane, Turns } from '../turns/turns.ts';
import { type RunRoundDeps, runRound } from './run.ts';

export interface RegisterWorkDeps extends RunRoundDeps {
  readonly turns: Pick<Turns, 'add' | 'remove' | 'isShared'>;
}

/** Keeps the registers of all tenants, several at the same time, each in a lane of its own. */
export interface RegisterWork {
  /** Claims a register if there is room, at once or from time to time; true when there may be more. */
  claim(isAtOnce: boolean): Promise<boolean>;
  /** How long the loop may wait until it claims again, in milliseconds. */
  idleMs(): number;
  /** Renews the leases that are due. */
  renew(): Promise<void>;
  /** Releases all registers. */
  stop(): Promise<void>;
}

const ROUNDS_AT_ONCE_MAX = 4;
const CLAIM_EVERY_MS = 25;
const RENEW_EVERY_MS = 1_000;
// A round that found nothing to do may have met a change that is not committed yet.
const REST_MS = 100;
// After a round its tenant rests for as long as the round has worked: what changes meanwhile is one round.
const REST_MS_MAX = 5_000;
// Beside other tenants a round also rests between its steps, as its transactions keep theirs waiting.
const STEPS_MS = 20;
const STEPS_REST_MS_MAX = 500;
// Instants at which time alone changes a register wake nothing.
const LOOK_EVERY_MS = 500;
const RETRY_MS = 2_000;
// Registers that another worker has compared this lately are not compared again when this one starts.
const COMPARED_LATELY_MS = 60_000;

const NEVER = new AbortController().signal;

interface UnderwayRound extends Lane {
  readonly claim: RegisterClaim;
  renewedMs: number;
  isLost: boolean;
  /** The time that it has taken, in milliseconds. */
  workedMs(): number;
  abort(): Promise<void>;
}

export function createRegisterWork(deps: RegisterWorkDeps): RegisterWork {
  const { register, now, leaseMs, turns } = deps;
  const underway = new Set<UnderwayRound>();
  const restingUntilMs = new Map<string, number>();
  let claimedMs = Number.NEGATIVE_INFINITY;
  let [isStarted, hasClaimed] = [false, false];

  const start = async () => {
    const nowMs = now();
    const comparedBefore = new Date(nowMs - COMPARED_LATELY_MS).toISOString();
    await register.demandComparisons(new Date(nowMs).toISOString(), comparedBefore);
    isStarted = true;
  };
  const resting = (nowMs: number): readonly string[] => {
    for (const [tenant, untilMs] of restingUntilMs)
      if (nowMs >= untilMs || untilMs > nowMs + REST_MS_MAX) restingUntilMs.delete(tenant);
    return [...restingUntilMs.keys()];
  };

  return {
    idleMs: () => (restingUntilMs.size > 0 ? REST_MS : hasClaimed ? LOOK_EVERY_MS : Number.POSITIVE_INFINITY),
    claim: async (isAtOnce) => {
      const nowMs = now();
      if (underway.size >= ROUNDS_AT_ONCE_MAX) return false;
      if (!isAtOnce && Math.abs(nowMs - claimedMs) < CLAIM_EVERY_MS) return false;
      claimedMs = nowMs;
      if (!isStarted) await start();
      const claim = await register.claim({ nowMs, leaseMs, except: resting(nowMs) });
      if (claim === null) return false;
      hasClaimed = true;
      const lane = createRoundLane(deps, claim, (isIdle) => {
        underway.delete(lane);
        claimedMs = Number.NEGATIVE_INFINITY;
        const restMs = Math.max(isIdle ? REST_MS : 0, Math.min(lane.workedMs(), REST_MS_MAX));
        if (restMs > 0) restingUntilMs.set(claim.tenant, now() + restMs);
      });
      underway.add(lane);
      turns.add(lane);
      return true;
    },
    renew: async () => {
      for (const round of underway) {
        if (round.isLost || Math.abs(now() - round.renewedMs) < Math.min(leaseMs / 4, RENEW_EVERY_MS)) continue;
        round.renewedMs = now();
        round.isLost = !(await register.renew(round.claim, round.renewedMs + leaseMs));
      }
    },
    stop: async () => {
      for (const round of underway) {
        underway.delete(round);
        turns.remove(round);
        await round.abort();
        await register.release(round.claim, 0);
      }
    },
  };
}

function createRoundLane(
  deps: RegisterWorkDeps,
  claim: RegisterClaim,
  onEnd: (isIdle: boolean) => void,
): UnderwayRound {
  const { register, log, now, turns } = deps;
  const { tenant } = claim;
  const steps = runRound(deps, claim);
  let workedMs = 0;
  let restedAtMs = 0;
  const proceed = async (): Promise<'more' | 'idle'> => {
    if (lane.isLost) {
      await steps.return(null);
      onEnd(false);
      return 'idle';
    }
    if (workedMs - restedAtMs >= STEPS_MS) {
      const restMs = Math.min(workedMs - restedAtMs, STEPS_REST_MS_MAX);
      if (turns.isShared(tenant)) await deps.wait(restMs, NEVER);
      restedAtMs = workedMs;
    }
    const { done, value } = await steps.next();
    if (done !== true) return 'more';
    onEnd(value?.changed === 0 && !value.isBehind);
    log.debug({ tenant, ...value }, value === null ? 'register left to another worker' : 'register brought up to date');
    return 'idle';
  };
  const lane: UnderwayRound = {
    tenant,
    claim,
    renewedMs: now(),
    isLost: false,
    workedMs: () => workedMs,
    charge: (ms) => {
      workedMs += ms;
    },
    step: async () => {
      try {
        return await proceed();
      } catch (err) {
        onEnd(false);
        log.error({ err, tenant }, 'the register of a tenant could not be brought up to date');
        const delayMs = err instanceof StorageUnavailable ? RETRY_MS : RETRY_MS * 2;
        await register
          .release(claim, now() + delayMs)
          .catch((cause) => log.error({ err: cause }, 'a register is left until its lease ends'));
        return 'idle';
      }
    },
    abort: async () => {
      await steps.return(null);
    },
  };
  return lane;
}
