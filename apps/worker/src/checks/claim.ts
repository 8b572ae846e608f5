import { type CheckQueue, latestClaimableAtMs } from '@access-admin/store';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX } from '../claims/policy.ts';
import { createTenantLimits } from './claim-limits.ts';
import { type CheckJob, holdCheck, type OnCheckEnd } from './held.ts';
import type { Trials } from './trials.ts';

/** Claims checks: new ones of many tenants at once, and those that were claimed before one after the other. */
export interface CheckClaims {
  claim(): Promise<readonly CheckJob[]>;
  /** After how many milliseconds there may be more without a commit, as the latest claim has found. */
  idleMs(): number;
  /** Counts a check that has taken so long, in milliseconds. */
  count(tenant: string, ms: number): void;
  /** The checks of a job are concluded. Returns whether all that are held are. */
  release(job: CheckJob): boolean;
  /** Other workers have taken checks from this one. Two whose clocks or pauses end each other's leases would else go on taking the same ones. */
  noteLost(): void;
}

export interface CheckClaimsDeps {
  readonly queue: Pick<CheckQueue, 'claim' | 'nextClaimableAtMs'>;
  readonly trials: Trials;
  /** Tenants of which nothing new is to be claimed. */
  lockedTenants(): ReadonlySet<string>;
  readonly leaseMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 up to, and without, 1. */
  random(): number;
  readonly onEnd: OnCheckEnd;
  readonly log: Pick<Logger, 'error'>;
}

const BATCH_MAX = 100;
/** The checks that are held at the same time, of all tenants. */
const HELD_MAX = 200;
const IDLE_MAX_MS = 1_000;
/** However many interrupted checks there are, new ones are claimed this often. */
const NEW_EVERY_MS = 25;

export function createCheckClaims(deps: CheckClaimsDeps): CheckClaims {
  const { queue, trials, leaseMs, now } = deps;
  const onFailure = createOnFailure(deps);
  const tenantLimits = createTenantLimits();
  const interrupted = createInterruptedClaims(deps);
  const jobs = new Set<CheckJob>();
  let idleMs = IDLE_MAX_MS;
  let newClaimedMs = now();

  const heldByTenant = (): Map<string, number> => {
    const held = new Map<string, number>();
    for (const { tenant, checks } of jobs)
      for (const { isOpen } of checks) if (isOpen) held.set(tenant, (held.get(tenant) ?? 0) + 1);
    return held;
  };
  const limitsOf = (held: ReadonlyMap<string, number>, free: number) => {
    const limits = tenantLimits.limits(held, free);
    const locked = Array.from(deps.lockedTenants(), (tenant) => [tenant, 0] as const);
    return { ...limits, tenantLimits: new Map([...limits.tenantLimits, ...locked]) };
  };
  const claimNew = async (): Promise<readonly CheckJob[]> => {
    const held = heldByTenant();
    const free = HELD_MAX - [...held.values()].reduce((sum, count) => sum + count, 0);
    if (free <= 0) return [];
    const limit = Math.min(BATCH_MAX, free);
    const nowMs = now();
    newClaimedMs = nowMs;
    const claims = await queue.claim({ nowMs, leaseMs, limit, attemptsMax: 1, onFailure, ...limitsOf(held, free) });
    return Array.from(
      Map.groupBy(claims, ({ tenant }) => tenant),
      ([tenant, some]) => ({ tenant, trial: null, checks: some.map((claim) => holdCheck(claim, nowMs, deps.onEnd)) }),
    );
  };
  const claimNewBeside = async (first: readonly CheckJob[]): Promise<readonly CheckJob[]> => {
    try {
      const claimed = await claimNew();
      // Tenants that were left out because they are ahead of others need not wait for others that have nothing more.
      return claimed.length === 0 && jobs.size === 0 ? await claimNew() : claimed;
    } catch (error) {
      // What is claimed already is worked on: a storage that is away still rejects the next claim.
      if (first.length === 0) throw error;
      return [];
    }
  };
  const claimAll = async (): Promise<readonly CheckJob[]> => {
    idleMs = IDLE_MAX_MS;
    const nextAtMs = await queue.nextClaimableAtMs();
    if (nextAtMs === null) return [];
    const untilNextMs = nextAtMs - now();
    // A time later than any lease comes from a clock that was ahead: it is ignored, and the queue is asked.
    if (untilNextMs > 0 && nextAtMs <= latestClaimableAtMs(now(), leaseMs)) {
      idleMs = Math.min(untilNextMs, IDLE_MAX_MS);
      return [];
    }
    const isInterruptedFirst = interrupted.isDue();
    const first = isInterruptedFirst ? await interrupted.claim() : [];
    const isNewDue = !trials.isUnderWay() || Math.abs(now() - newClaimedMs) >= NEW_EVERY_MS;
    const claimed = nextAtMs === 0 && isNewDue ? await claimNewBeside(first) : [];
    if (isInterruptedFirst || claimed.length > 0) return [...first, ...claimed];
    return interrupted.claim();
  };

  return {
    claim: async () => {
      const claimed = await claimAll();
      for (const job of claimed) jobs.add(job);
      return claimed;
    },
    idleMs: () => Math.min(idleMs, interrupted.leftMs() || IDLE_MAX_MS),
    count: tenantLimits.count,
    release: (job) => jobs.delete(job) && jobs.size === 0,
    noteLost: interrupted.leaveToOthers,
  };
}

const createOnFailure =
  ({ log }: Pick<CheckClaimsDeps, 'log'>) =>
  (tenant: string, err: unknown): void =>
    log.error({ err, tenant }, 'the checks of a tenant cannot be claimed');

const INTERRUPTED_EVERY_MS = 250;

/** Claims checks that were claimed before, one after the other: one that ends the process takes no attempt of another. */
function createInterruptedClaims(deps: CheckClaimsDeps) {
  const { queue, trials, leaseMs, now, random, onEnd } = deps;
  const onFailure = createOnFailure(deps);
  /** Tenants that have had one since all others had one. */
  const served = new Set<string>();
  let isLikely = false;
  let claimedMs = Number.NEGATIVE_INFINITY;
  let leftSinceMs = Number.NEGATIVE_INFINITY;
  let leftForMs = 0;
  const leftMs = () => Math.max(0, leftForMs - Math.abs(now() - leftSinceMs));

  const claimOne = async (): Promise<readonly CheckJob[]> => {
    const nowMs = now();
    const tenantLimits = new Map(Array.from(served, (tenant) => [tenant, 0]));
    const once = { limit: 1, attemptsMin: 1, attemptsMax: ATTEMPTS_MAX } as const;
    const claims = await queue.claim({ nowMs, leaseMs, tenantLimits, onFailure, ...once });
    isLikely = claims.length > 0;
    for (const { tenant } of claims) served.add(tenant);
    return claims.map((claim) => ({
      tenant: claim.tenant,
      trial: trials.begin(),
      checks: [holdCheck(claim, nowMs, onEnd)],
    }));
  };

  return {
    leftMs,
    /** Leaves them to other workers for a random part of a quarter of the lease. */
    leaveToOthers: () => {
      leftSinceMs = now();
      leftForMs = random() * (leaseMs / 4);
    },
    /** Whether one should be claimed ahead of new checks. */
    isDue: () => isLikely || Math.abs(now() - claimedMs) >= INTERRUPTED_EVERY_MS,
    /** Claims one; none while another is being tried, or they are left to others. */
    claim: async (): Promise<readonly CheckJob[]> => {
      if (trials.isUnderWay() || leftMs() > 0) return [];
      claimedMs = now();
      const claimed = await claimOne();
      if (isLikely || served.size === 0) return claimed;
      served.clear();
      return claimOne();
    },
  };
}
