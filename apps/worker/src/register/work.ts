import { type RegisterClaim, StorageUnavailable } from '@access-admin/store';
import { LeaseLost, type LongWork, WorkStopped } from '../claims/long-work.ts';
import { type RunRoundDeps, runRound } from './run.ts';

export interface RegisterWorkDeps extends Omit<RunRoundDeps, 'pause'> {
  readonly longWork: LongWork;
  /** Is told how long a round of a tenant has worked. */
  onWorked(tenant: string, ms: number): void;
  /** Is called when a round has ended, so that another may be claimed. */
  onEnd(): void;
}

/** Keeps the registers of all tenants, several at the same time. */
export interface RegisterWork {
  /** Claims a register if there is room, at once or from time to time; true when there may be more. */
  claim(isAtOnce: boolean): Promise<boolean>;
  isUnderWay(): boolean;
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
// Instants at which time alone changes a register wake nothing.
const LOOK_EVERY_MS = 500;
const RETRY_MS = 2_000;
// Registers that another worker has compared this lately are not compared again when this one starts.
const COMPARED_LATELY_MS = 60_000;

interface UnderwayRound {
  readonly claim: RegisterClaim;
  renewedMs: number;
  /** Ends the work without an outcome. */
  end(reason: LeaseLost | WorkStopped): void;
  /** Resolves with whether it found nothing to do. */
  readonly ended: Promise<boolean>;
}

export function createRegisterWork(deps: RegisterWorkDeps): RegisterWork {
  const { register, now, leaseMs } = deps;
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

  const startOf = (claim: RegisterClaim) => {
    const round = startRound(deps, claim);
    underway.add(round);
    void round.ended.then((isIdle) => {
      underway.delete(round);
      claimedMs = Number.NEGATIVE_INFINITY;
      if (isIdle) restingUntilMs.set(claim.tenant, now() + REST_MS);
      deps.onEnd();
    });
  };

  return {
    isUnderWay: () => underway.size > 0,
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
      startOf(claim);
      return true;
    },
    renew: async () => {
      for (const round of underway) {
        if (Math.abs(now() - round.renewedMs) < Math.min(leaseMs / 4, RENEW_EVERY_MS)) continue;
        round.renewedMs = now();
        if (!(await register.renew(round.claim, round.renewedMs + leaseMs))) round.end(new LeaseLost());
      }
    },
    stop: async () => {
      const stopped = [...underway];
      for (const { end } of stopped) end(new WorkStopped());
      for (const { claim, ended } of stopped) {
        await ended;
        await register.release(claim, 0);
      }
    },
  };
}

function startRound(deps: RegisterWorkDeps, claim: RegisterClaim): UnderwayRound {
  const { register, log, now, longWork, onWorked } = deps;
  const { tenant } = claim;
  const end = new AbortController();
  const pause = longWork.pauses(end.signal, (ms) => onWorked(tenant, ms));
  const run = async (): Promise<boolean> => {
    try {
      const outcome = await runRound({ ...deps, pause }, claim);
      log.debug({ tenant, ...outcome }, 'register brought up to date');
      return outcome.changed === 0 && !outcome.isBehind;
    } catch (err) {
      if (err instanceof LeaseLost) log.debug({ tenant }, 'register left to another worker');
      else if (!(err instanceof WorkStopped)) await settleFailure(err);
      return false;
    }
  };
  const settleFailure = async (err: unknown) => {
    log.error({ err, tenant }, 'the register of a tenant could not be brought up to date');
    const delayMs = err instanceof StorageUnavailable ? RETRY_MS : RETRY_MS * 2;
    await register
      .release(claim, now() + delayMs)
      .catch((cause) => log.error({ err: cause }, 'a register is left until its lease ends'));
  };
  return { claim, renewedMs: now(), end: (reason) => end.abort(reason), ended: run() };
}
