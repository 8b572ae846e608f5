import type { CheckQueue } from '@access-admin/store';
import { ATTEMPTS_MAX } from '../claims/policy.ts';
import type { HeldChecks } from './held.ts';

export interface ClaimAgainDeps {
  readonly queue: Pick<CheckQueue, 'claim'>;
  readonly held: Pick<HeldChecks, 'add' | 'isTrying'>;
  readonly leaseMs: number;
  now(): number;
}

/** Claims checks that were claimed before, one after the other: one that ends the process takes no attempt of another. */
export interface ClaimAgain {
  /** Whether one should be claimed ahead of new checks. */
  isDue(): boolean;
  /** Claims one; false when there is none, or one is being tried. */
  claim(): Promise<boolean>;
}

const EVERY_MS = 250;

export function createClaimAgain({ queue, held, leaseMs, now }: ClaimAgainDeps): ClaimAgain {
  /** Tenants that have had one since all others had a turn. */
  const served = new Set<string>();
  let [isLikely, claimedMs] = [false, Number.NEGATIVE_INFINITY];

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
    isDue: () => isLikely || Math.abs(now() - claimedMs) >= EVERY_MS,
    claim: async () => {
      if (held.isTrying()) return false;
      claimedMs = now();
      isLikely = await claimOne();
      if (isLikely || served.size === 0) return isLikely;
      served.clear();
      isLikely = await claimOne();
      return isLikely;
    },
  };
}
