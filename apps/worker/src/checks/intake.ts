import { type CheckQueue, latestClaimableAtMs } from '@access-admin/store';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX, createPeriodicSweep, failedForGood } from '../claims/policy.ts';
import { createClaimAgain } from './claim-again.ts';
import type { HeldChecks } from './held.ts';

/** Claims checks, and keeps or gives back the claims. */
export interface CheckIntake {
  /** Claims new checks of tenants that have few in memory, or one check that was claimed before. Returns after how many milliseconds there may be more; 0 when some were claimed. */
  claim(): Promise<number>;
  /** Whether a check that was claimed before is no longer tried, so that the next one can be claimed. */
  isNextTrialDue(): boolean;
  /** Renews the leases of checks that are held for long, and forgets those that other workers have taken. */
  renew(): Promise<void>;
  /** Gives back all checks without an outcome. */
  giveBack(): Promise<void>;
  /** Other workers have taken checks from this one. Two whose clocks or pauses end each other's leases would else go on taking the same ones. */
  noteLost(): void;
}

export interface CheckIntakeDeps {
  readonly queue: Pick<CheckQueue, 'claim' | 'renew' | 'giveBack' | 'failExhausted' | 'nextClaimableAtMs'>;
  readonly held: HeldChecks;
  readonly log: Pick<Logger, 'debug'>;
  readonly leaseMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 up to, and without, 1. */
  random(): number;
}

const BATCH_MAX = 100;
/** The checks that are held at the same time, of all tenants. */
const HELD_MAX = 200;
const NEW_EVERY_MS = 25;
const IDLE_MAX_MS = 1_000;
const SWEEP_EVERY_MS = 1_000;

export function createCheckIntake(deps: CheckIntakeDeps): CheckIntake {
  const { queue, held, leaseMs, now } = deps;
  const sweep = createSweep(deps);
  const again = createClaimAgain(deps);

  let isTrialUnderWay = false;
  const claimAgain = async (): Promise<boolean> => {
    const isClaimed = await again.claim();
    isTrialUnderWay ||= isClaimed;
    return isClaimed;
  };
  let newClaimedMs = now();

  const claimNew = async (): Promise<boolean> => {
    const free = HELD_MAX - held.count;
    if (free <= 0) return false;
    const limit = Math.min(BATCH_MAX, free);
    const nowMs = now();
    newClaimedMs = nowMs;
    const claims = await queue.claim({ nowMs, leaseMs, limit, attemptsMax: 1, ...held.limits(free) });
    held.add(claims, nowMs);
    return claims.length > 0;
  };

  return {
    claim: async () => {
      if (!held.isTrying()) isTrialUnderWay = false;
      await sweep();
      const nextAtMs = await queue.nextClaimableAtMs();
      if (nextAtMs === null) return IDLE_MAX_MS;
      const idleMs = nextAtMs - now();
      // A time later than any lease comes from a clock that was ahead: it is ignored, and the queue is asked.
      if (idleMs > 0 && nextAtMs <= latestClaimableAtMs(now(), leaseMs)) return Math.min(idleMs, IDLE_MAX_MS);
      const isAgainFirst = again.isDue();
      const isAgain = isAgainFirst && (await claimAgain());
      // However many interrupted checks there are, new ones have their turn.
      const isNewDue = !isAgain || Math.abs(now() - newClaimedMs) >= NEW_EVERY_MS;
      if (nextAtMs === 0 && isNewDue && (await claimNew())) return 0;
      return isAgain || (!isAgainFirst && (await claimAgain()))
        ? 0
        : Math.min(IDLE_MAX_MS, again.leftMs() || IDLE_MAX_MS);
    },
    isNextTrialDue: () => isTrialUnderWay && !held.isTrying(),
    renew: createRenew(deps, again.leaveToOthers),
    noteLost: again.leaveToOthers,
    giveBack: async () => {
      const checks = held.all();
      for (const check of checks) held.drop(check);
      await queue.giveBack(checks.map(({ claim }) => claim));
    },
  };
}

/** A lease is renewed when this share of it has passed; whether it has is seen four times as often. */
const RENEWED_SHARE = 1 / 4;

function createRenew({ queue, held, log, leaseMs, now }: CheckIntakeDeps, onLost: () => void): () => Promise<void> {
  let seenMs = now();
  return async () => {
    const nowMs = now();
    const isPast = (sinceMs: number, ms: number) => Math.abs(nowMs - sinceMs) >= ms;
    if (!isPast(seenMs, (leaseMs * RENEWED_SHARE) / 4)) return;
    seenMs = nowMs;
    const due = held.all().filter(({ leasedMs }) => isPast(leasedMs, leaseMs * RENEWED_SHARE));
    const claims = due.map(({ claim }) => claim);
    const kept = new Set(await queue.renew(claims, nowMs + leaseMs));
    for (const check of due) {
      if (kept.has(check.claim)) check.leasedMs = nowMs;
      else held.drop(check);
    }
    if (kept.size === due.length) return;
    log.debug({ checks: due.length - kept.size }, 'checks left to other workers');
    onLost();
    // Their leases ended because the process had no time for them, which says nothing about the checks.
    await queue.giveBack(claims.filter((claim) => !kept.has(claim)));
  };
}

/** Ends, once a second, the checks whose worker died in their last attempt. */
const createSweep = ({ queue, now }: Pick<CheckIntakeDeps, 'queue' | 'now'>) =>
  createPeriodicSweep(now, SWEEP_EVERY_MS, async (nowMs) => {
    const completed = new Date(nowMs).toISOString();
    await queue.failExhausted({ nowMs, attemptsMax: ATTEMPTS_MAX, completed, message: failedForGood('check') });
    return false;
  });
