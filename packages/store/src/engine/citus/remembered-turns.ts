import type { TenantTurns, WaitingTenant, WorkOfTenants } from '../tenant-turns.ts';
import type { ChangedTenants } from './changed-tenants.ts';

const LIST_EVERY_MS = 1_000;
/** Within this time of a claim its lease ends, or the pause after its failure. */
const CLAIMED_MS = 60_000;

type RememberedWork = Pick<WorkOfTenants, 'arisesFrom' | 'listAll'>;

/**
 * Remembers the tenants that may have work, in the order in which they were found: by a commit, or by a look at every shard once a
 * second.
 */
export function rememberTurns(changedTenants: ChangedTenants, { arisesFrom, listAll }: RememberedWork): TenantTurns {
  const waiting = new Map<string, WaitingTenant>();
  const claimedMs = new Map<string, number>();
  let listedMs: number | null = null;
  let isListing = false;

  const asWaiting = (tenant: string): WaitingTenant => waiting.get(tenant) ?? { tenant, hasAlone: false };
  const add = (tenant: string): void => void waiting.set(tenant, asWaiting(tenant));
  const addAll = (found: readonly WaitingTenant[]): void => {
    const isNew = found.some(({ tenant }) => !waiting.has(tenant));
    for (const one of found) waiting.set(one.tenant, one);
    if (isNew) changedTenants.wake();
  };
  /** Without a look: work of these tenants may be due again. */
  const addClaimed = (): void => {
    const sinceMs = changedTenants.now() - CLAIMED_MS;
    for (const [tenant, ms] of claimedMs) if (ms < sinceMs) claimedMs.delete(tenant);
    addAll(Array.from(claimedMs.keys(), asWaiting));
  };
  const look = async (nowMs: number) => {
    // While a node is away no look has an answer.
    const found = await changedTenants.unlessAway(listAll(nowMs));
    if (found === null) addClaimed();
    else addAll(found);
  };
  changedTenants.subscribe((tenant, work) => {
    if (arisesFrom.includes(work)) add(tenant);
  });
  return {
    list: async (nowMs) => {
      if (listedMs === null) {
        listedMs = changedTenants.now();
        await look(nowMs);
      } else if (changedTenants.now() - listedMs >= LIST_EVERY_MS) {
        listedMs = changedTenants.now();
        // A look may wait for a node that hangs, and find nothing of the other nodes until then.
        if (isListing) addClaimed();
        else {
          isListing = true;
          // What fails is repeated a second later.
          look(nowMs)
            .catch(addClaimed)
            .finally(() => {
              isListing = false;
            });
        }
      }
      return [...waiting.values()];
    },
    // Called before a claim: a commit during the claim adds the tenant again.
    remove: (tenant) => {
      waiting.delete(tenant);
      claimedMs.set(tenant, changedTenants.now());
    },
    removeAlone: (tenant) => {
      if (waiting.has(tenant)) waiting.set(tenant, { tenant, hasAlone: false });
    },
    add,
  };
}
