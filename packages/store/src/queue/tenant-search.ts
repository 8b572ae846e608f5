import type { ArisingWork, ChangedTenants } from '../engine/changed-tenants.ts';
import { rememberWaitingTenants } from '../engine/citus/waiting-tenants.ts';
import { TenantRemoved } from '../engine/errors.ts';

/** Which tenants to look at: one, or all, the most urgent candidates first. */
export type SearchScope = { readonly tenant: string } | { readonly limit: number };

interface SearchDeps<R, C> {
  /** Null where one look at all tenants is as fast. */
  readonly changedTenants: ChangedTenants | null;
  /** The commits of a tenant that may give it work. */
  readonly arisesFrom: readonly ArisingWork[];
  read(request: R, scope: SearchScope): Promise<readonly C[]>;
  /** The order of candidates, as a look at all has it. */
  compare(one: C, other: C): number;
}

/** Finds candidates for a claim, the most urgent first. */
export type TenantSearch<R, C> = (request: R, limit: number) => Promise<readonly C[]>;

const LISTED_MAX = 1_000;
const TENANTS_AT_ONCE = 8;

/** On a distributed database, looks at the tenants that may have work, those first that have waited longest. */
export function createTenantSearch<R, C extends { readonly tenant: string }>({
  changedTenants,
  arisesFrom,
  read,
  compare,
}: SearchDeps<R, C>): TenantSearch<R, C> {
  if (changedTenants === null) return (request, limit) => read(request, { limit });
  const waiting = rememberWaitingTenants<R>(changedTenants, {
    arisesFrom,
    list: async (request) => {
      const found = await read(request, { limit: LISTED_MAX });
      return found.map(({ tenant }) => ({ tenant, hasAlone: false }));
    },
  });
  const readOne = async (request: R, tenant: string): Promise<readonly C[]> => {
    waiting.remove(tenant);
    try {
      const found = (await changedTenants.unlessAway(read(request, { tenant }))) ?? [];
      // There may be more than is claimed.
      if (found.length > 0) waiting.add(tenant);
      return found;
    } catch (error) {
      waiting.add(tenant);
      throw error;
    }
  };

  return async (request, limit) => {
    const tenants = await waiting.list(request);
    const candidates: C[] = [];
    for (let at = 0; at < tenants.length && candidates.length < limit; at += TENANTS_AT_ONCE) {
      const some = tenants.slice(at, at + TENANTS_AT_ONCE);
      for (const found of await Promise.all(some.map(({ tenant }) => readOne(request, tenant))))
        candidates.push(...found);
    }
    return candidates.sort(compare).slice(0, limit);
  };
}

/** A claim of one tenant; null where it cannot be made now, or its tenant is being removed, so that claims of others go on. */
export async function claimUnlessBlocked<T>(
  { changedTenants }: { readonly changedTenants: ChangedTenants | null },
  claim: Promise<T>,
): Promise<T | null> {
  try {
    return await (changedTenants?.unlessBlocked(claim) ?? claim);
  } catch (error) {
    if (error instanceof TenantRemoved) return null;
    throw error;
  }
}

/** Orders texts by their bytes, as both engines do. */
export const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
