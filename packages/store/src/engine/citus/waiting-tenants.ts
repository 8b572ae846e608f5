import type { ChangedTenants } from '../changed-tenants.ts';
import type { ArisingWork } from '../commits.ts';

interface Waiting {
  readonly tenant: string;
  readonly hasAlone: boolean;
}

interface Remembering<Time> {
  /** The commits of a tenant that may give it work. */
  readonly arisesFrom: readonly ArisingWork[];
  /** Asks every shard. */
  list(time: Time): Promise<readonly Waiting[]>;
}

const LIST_EVERY_MS = 1_000;
/** Within this time of a claim its lease ends, or the pause after its failure. */
const CLAIMED_MS = 60_000;

/**
 * Remembers the tenants that may have work, in the order in which they were found: by a commit, or by a look at every shard once a
 * second.
 */
export function rememberWaitingTenants<Time>(changedTenants: ChangedTenants, { arisesFrom, list }: Remembering<Time>) {
  const waiting = new Map<string, Waiting>();
  const claimedMs = new Map<string, number>();
  let listedMs: number | null = null;
  let isListing = false;

  const asWaiting = (tenant: string): Waiting => waiting.get(tenant) ?? { tenant, hasAlone: false };
  const add = (tenant: string): void => void waiting.set(tenant, asWaiting(tenant));
  const addAll = (found: readonly Waiting[]): void => {
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
  const look = async (time: Time) => {
    // While a node is away no look has an answer.
    const found = await changedTenants.unlessAway(list(time));
    if (found === null) addClaimed();
    else addAll(found);
  };
  changedTenants.subscribe((tenant, work) => {
    if (arisesFrom.includes(work)) add(tenant);
  });
  return {
    list: async (time: Time): Promise<readonly Waiting[]> => {
      if (listedMs === null) {
        listedMs = changedTenants.now();
        await look(time);
      } else if (changedTenants.now() - listedMs >= LIST_EVERY_MS) {
        listedMs = changedTenants.now();
        // A look may wait for a node that hangs, and find nothing of the other nodes until then.
        if (isListing) addClaimed();
        else {
          isListing = true;
          // What fails is repeated a second later.
          look(time)
            .catch(addClaimed)
            .finally(() => {
              isListing = false;
            });
        }
      }
      return [...waiting.values()];
    },
    // Called before a claim: a commit during the claim adds the tenant again.
    remove: (tenant: string): void => {
      waiting.delete(tenant);
      claimedMs.set(tenant, changedTenants.now());
    },
    removeAlone: (tenant: string): void => {
      if (waiting.has(tenant)) waiting.set(tenant, { tenant, hasAlone: false });
    },
    add,
  };
}
