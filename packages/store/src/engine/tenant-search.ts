import type { ArisingWork, ChangedTenants } from './changed-tenants.ts';
import { TenantRemoved } from './errors.ts';

/** Which tenants to look at: one, or all, the most urgent candidates first. */
export type SearchScope = { readonly tenant: string } | { readonly limit: number };

interface SearchDeps<R, C> {
  /** Null where one look at all tenants is as fast. */
  readonly changedTenants: ChangedTenants | null;
  /** What is searched for besides `any`. */
  readonly finds?: readonly ArisingWork[];
  read(request: R, scope: SearchScope): Promise<readonly C[]>;
  /** The order of candidates, as a look at all has it. */
  compare(one: C, other: C): number;
}

interface Searched {
  readonly limit: number;
  /** Tenants to leave out. */
  readonly except?: readonly string[];
}

/** Finds candidates for a claim, the most urgent first. */
export type TenantSearch<R, C> = (request: R, searched: Searched) => Promise<readonly C[]>;

/** Between two looks at all tenants of a distributed database. */
const LIST_EVERY_MS = 1_000;
const LISTED_MAX = 1_000;
const TENANTS_AT_ONCE = 8;

/**
 * On a distributed database, looks at the tenants in which something has been committed, those first that have waited longest. What
 * nobody has told of, and work whose time has come, is found by a look at all tenants once a second, which no claim but the first
 * waits for.
 */
export function createTenantSearch<R, C extends { readonly tenant: string }>({
  changedTenants,
  finds = [],
  read,
  compare,
}: SearchDeps<R, C>): TenantSearch<R, C> {
  if (changedTenants === null) return (request, { limit }) => read(request, { limit });
  const { now, unlessAway } = changedTenants;
  const waiting = new Set<string>();
  let listedMs: number | null = null;
  let isListing = false;

  const list = async (request: R): Promise<void> => {
    const found = (await unlessAway(read(request, { limit: LISTED_MAX }))) ?? [];
    const isNew = found.some(({ tenant }) => !waiting.has(tenant));
    for (const { tenant } of found) waiting.add(tenant);
    if (isNew) changedTenants.wake();
  };
  const listIfDue = async (request: R): Promise<void> => {
    const nowMs = now();
    if (listedMs === null) {
      listedMs = nowMs;
      // From now on: what was committed before is found by this look.
      changedTenants.subscribe((tenant, work) => {
        if (work === 'any' || finds.includes(work)) waiting.add(tenant);
      });
      await list(request);
    } else if (!isListing && nowMs - listedMs >= LIST_EVERY_MS) {
      listedMs = nowMs;
      isListing = true;
      // What fails is repeated a second later.
      list(request)
        .catch(() => {})
        .finally(() => {
          isListing = false;
        });
    }
  };
  const readOne = async (request: R, tenant: string): Promise<readonly C[]> => {
    // Before the look: what is committed meanwhile is told after it.
    waiting.delete(tenant);
    try {
      const found = (await unlessAway(read(request, { tenant }))) ?? [];
      // There may be more than is claimed.
      if (found.length > 0) waiting.add(tenant);
      return found;
    } catch (error) {
      waiting.add(tenant);
      throw error;
    }
  };

  return async (request, { limit, except = [] }) => {
    await listIfDue(request);
    const tenants = [...waiting].filter((tenant) => !except.includes(tenant));
    const candidates: C[] = [];
    for (let at = 0; at < tenants.length && candidates.length < limit; at += TENANTS_AT_ONCE) {
      const some = tenants.slice(at, at + TENANTS_AT_ONCE);
      for (const found of await Promise.all(some.map((tenant) => readOne(request, tenant)))) candidates.push(...found);
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
