import { removeTenant, type Store, TENANT_REMOVAL_LEASE_MS, type TenantRemovalClaim } from '@access-admin/store';
import type { Logger } from 'pino';
import type { LeasedWork } from '../leased/loop.ts';

export interface TenantRemovalWorkDeps {
  readonly tenantRemovals: Store['tenantRemovals'];
  readonly log: Pick<Logger, 'info'>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

/** Removes tenants, one at a time. */
export function createTenantRemovalWork(deps: TenantRemovalWorkDeps): LeasedWork<TenantRemovalClaim> {
  const { tenantRemovals: removals, log, now, wait } = deps;
  let isBusy = false;
  return {
    leaseMs: TENANT_REMOVAL_LEASE_MS,
    renewEveryMs: TENANT_REMOVAL_LEASE_MS,
    arisesFrom: ['any'],
    idleMs: () => LOOK_EVERY_MS,
    tenantOf: ({ tenant }) => tenant,
    claim: () =>
      isBusy ? Promise.resolve([]) : removals.claim({ nowMs: now(), leaseMs: TENANT_REMOVAL_LEASE_MS, limit: 1 }),
    // Each batch prolongs the lease itself.
    renew: async (claims) => claims,
    run: async (claim, { signal }) => {
      isBusy = true;
      try {
        if (await removeTenant(claim, { removals, now, wait }, signal))
          log.info({ tenant: claim.tenant }, 'a tenant is removed');
      } finally {
        isBusy = false;
      }
    },
  };
}
