import type { CheckQueue } from '@access-admin/store';
import { ATTEMPTS_MAX } from '../claims/policy.ts';
import type { HeldChecks } from './held.ts';

export interface ClaimAgainDeps {
  readonly queue: Pick<CheckQueue, 'claim'>;
  readonly held: Pick<HeldChecks, 'add' | 'isTrying'>;
  readonly leaseMs: number;
  now(): number;
  /** From 0 up to, and without, 1. */
  random(): number;
}

/** Claims checks that were claimed before, one after the other: one that ends the process takes no attempt of another. */
export interface ClaimAgain {
  /** Whether one should be claimed ahead of new checks. */
  isDue(): boolean;
  /** Claims one; false when there is none, or one is being tried, or they are left to others. */
  claim(): Promise<boolean>;
  /** Leaves them to other workers for a random part of a quarter of the lease. */
  leaveToOthers(): void;
  /** How long they are still left to others, in milliseconds. */
  leftMs(): number;
}

const EVERY_MS = 250;

export function createClaimAgain({ queue, held, leaseMs, now, random }: ClaimAgainDeps): ClaimAgain {
  /** Tenants that have had one since all others had a turn. */
  const served = new Set<string>();
  let [isLikely, claimedMs] = [false, Number.NEGATIVE_INFINITY];
  let left = { sinceMs: Number.NEGATIVE_INFINITY, forMs: 0 };
  const leftMs = () => Math.max(0, left.forMs - Math.abs(now() - left.sinceMs));

  const claimOne = async (): Promise<boolean> => {
    const nowMs = now();
    const tenantLimits = new Map(Array.from(served, (tenant) => [tenant, 0]));
    const once = { limit: 1, attemptsMin: 1, attemptsMax: ATTEMPTS_MAX } as const;
    const claims = await queue.claim({ nowMs, leaseMs, tenantLimits, ...once });
    held.add(claims, nowMs);
    for (const { tenant } of claims) served.add(tenant);
    return claims.length > 0;
  };

  return {
    leftMs,
    leaveToOthers: () => {
      left = { sinceMs: now(), forMs: random() * (leaseMs / 4) };
    },
    isDue: () => isLikely || Math.abs(now() - claimedMs) >= EVERY_MS,
    claim: async () => {
      if (held.isTrying() || leftMs() > 0) return false;
      claimedMs = now();
      isLikely = await claimOne();
      if (isLikely || served.size === 0) return isLikely;
      served.clear();
      isLikely = await claimOne();
      return isLikely;
    },
  };
}
