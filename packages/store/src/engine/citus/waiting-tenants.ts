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

/**
 * Remembers the tenants that may have work, in the order in which they were found: by a commit, or by a look at every shard once a
 * second.
 */
export function rememberWaitingTenants<Time>(changedTenants: ChangedTenants, { arisesFrom, list }: Remembering<Time>) {
  const waiting = new Map<string, Waiting>();
  let listedMs: number | null = null;
  let isListing = false;

  const add = (tenant: string): void => {
    if (!waiting.has(tenant)) waiting.set(tenant, { tenant, hasAlone: false });
  };
  const look = async (time: Time) => {
    const found = (await changedTenants.unlessAway(list(time))) ?? [];
    const isNew = found.some(({ tenant }) => !waiting.has(tenant));
    for (const one of found) waiting.set(one.tenant, one);
    if (isNew) changedTenants.wake();
  };
  changedTenants.subscribe((tenant, work) => {
    if (arisesFrom.includes(work)) add(tenant);
  });
  return {
    list: async (time: Time): Promise<readonly Waiting[]> => {
      if (listedMs === null) {
        listedMs = changedTenants.now();
        await look(time);
      } else if (!isListing && changedTenants.now() - listedMs >= LIST_EVERY_MS) {
        listedMs = changedTenants.now();
        isListing = true;
        // What fails is repeated a second later.
        look(time)
          .catch(() => {})
          .finally(() => {
            isListing = false;
          });
      }
      return [...waiting.values()];
    },
    // Called before a claim: a commit during the claim adds the tenant again.
    remove: (tenant: string): void => void waiting.delete(tenant),
    removeAlone: (tenant: string): void => {
      if (waiting.has(tenant)) waiting.set(tenant, { tenant, hasAlone: false });
    },
    add,
  };
}
