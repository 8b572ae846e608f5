import type { CheckDeps } from './enqueue.ts';
import { unlessAway } from './errors.ts';

const LIST_EVERY_MS = 1_000;

/** The tenants with checks that wait, by index look-ups for each tenant on each shard. */
const WAITING = `
  select * from (
    select tenant, (
      select min(created) from sod_check
      where sod_check.tenant = tenant.tenant and state = 'PENDING' and attempts = 0
    ) as oldest, (
      select min(claimable_at_ms) from sod_check
      where sod_check.tenant = tenant.tenant and state = 'PENDING' and attempts > 0
    ) as "firstMs", (
      select max(claimable_at_ms) from sod_check
      where sod_check.tenant = tenant.tenant and state = 'PENDING' and attempts > 0
    ) as "lastMs" from tenant
  ) waiting where oldest is not null or "firstMs" is not null`;

interface WaitingRow {
  readonly tenant: string;
  /** When the oldest check that was never claimed was made. */
  readonly oldest: string | null;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

/** When the first and the last lease or delay of a tenant's checks ends. */
interface Ends {
  readonly firstMs: number;
  readonly lastMs: number;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

interface Found {
  /** Tenants with checks that were never claimed, those with the oldest first. */
  readonly fresh: readonly string[];
  /** Tenants with checks whose lease or delay has ended. */
  readonly again: readonly string[];
}

/** Which tenants a claim is worth a try for. */
export interface WaitingTenants {
  /** The tenant has new checks, none of which is older than `created` (ISO 8601). */
  add(tenant: string, created: string): void;
  /** The tenant may have such checks. */
  addPossible(tenant: string, created: string): void;
  remove(tenant: string): void;
  /** This process has claimed checks of the tenant until then. */
  claimed(tenant: string, leaseEndMs: number): void;
  find(at: { readonly nowMs: number; readonly latestMs: number }): Promise<Found>;
  /** When the next check of these tenants can be claimed, 0 for now; null where none waits. */
  nextMs(): Promise<number | null>;
}

/** When the first and the last lease or delay of the tenant's checks ends. */
const ENDS = `
  select min(claimable_at_ms) as "firstMs", max(claimable_at_ms) as "lastMs" from sod_check
  where tenant = $1 and state = 'PENDING' and attempts > 0`;

/** The oldest check of the tenant that was never claimed. */
const OLDEST = `
  select created from sod_check where tenant = $1 and state = 'PENDING' and attempts = 0 order by created limit 1`;

/** Checks that another process has stored are the latest, as far as is known. */
const LATER_THAN_ALL = '~';

/**
 * Processes tell each other of new checks. What they could not tell, and leases of others that end, are found by a list of all tenants
 * once a second, which no claim but the first waits for.
 */
export function createWaitingTenants({ pool, guardRead, changedTenants }: CheckDeps): WaitingTenants {
  /** The tenants with checks that were never claimed, with when the oldest of them was made. */
  const fresh = new Map<string, string>();
  /** Those whose checks were stored since the last call of `nextMs`. A look before their claim would take as long as the claim. */
  const stored = new Set<string>();
  let listedMs = Number.NEGATIVE_INFINITY;
  let isListing = false;
  /** Those whose turn comes first stand first. */
  let claimedBefore = new Map<string, Ends>();
  /** Those of which something later is known than a list under way will tell. */
  const touched = new Set<string>();

  const addPossible = (tenant: string, created: string) => {
    touched.add(tenant);
    const known = fresh.get(tenant);
    if (known === undefined || created < known) fresh.set(tenant, created);
  };
  const add = (tenant: string, created: string) => {
    addPossible(tenant, created);
    stored.add(tenant);
  };
  const remove = (tenant: string) => {
    touched.add(tenant);
    fresh.delete(tenant);
    stored.delete(tenant);
  };

  changedTenants?.subscribe((tenant, work) => {
    if (work !== 'checks') return;
    add(tenant, LATER_THAN_ALL);
  });

  const list = async () => {
    const known = new Set([...fresh.keys(), ...claimedBefore.keys()]);
    touched.clear();
    const listing = guardRead(() => pool.query<WaitingRow>({ name: 'waiting', text: WAITING }));
    const rows = (await unlessAway(listing))?.rows;
    if (rows === undefined) return;
    const told = rows.filter(({ tenant }) => !touched.has(tenant));
    for (const { tenant, oldest } of told) if (oldest !== null) fresh.set(tenant, oldest);
    const ends = new Map(
      told.flatMap(({ tenant, firstMs, lastMs }) =>
        firstMs === null || lastMs === null ? [] : [[tenant, { firstMs, lastMs }] as const],
      ),
    );
    // Those that are known keep their turns.
    const kept = [...claimedBefore].flatMap(([tenant, known]) => {
      const found = touched.has(tenant) ? known : ends.get(tenant);
      ends.delete(tenant);
      return found === undefined ? [] : [[tenant, found] as const];
    });
    claimedBefore = new Map([...kept, ...ends]);
    if (told.some(({ tenant }) => !known.has(tenant))) changedTenants?.wake();
  };
  const listIfDue = async () => {
    if (isListing || performance.now() - listedMs < LIST_EVERY_MS) return;
    const isFirst = listedMs === Number.NEGATIVE_INFINITY;
    listedMs = performance.now();
    isListing = true;
    const listing = list().finally(() => {
      isListing = false;
    });
    if (isFirst) await listing;
    // What fails is repeated a second later.
    else listing.catch(() => {});
  };
  /** Whether what was told of the tenant still holds: its checks may be claimed since, and a silent node is asked for none. */
  const hasUnclaimed = async (tenant: string): Promise<boolean> => {
    const told = fresh.get(tenant);
    // Before the look: what is stored meanwhile is told of after it.
    remove(tenant);
    const reading = guardRead(() =>
      pool.query<{ readonly created: string }>({ name: 'oldest', text: OLDEST, values: [tenant] }),
    );
    const found = await unlessAway(reading);
    const oldest = found === null ? told : found.rows[0]?.created;
    if (oldest !== undefined) fresh.set(tenant, oldest);
    return found !== null && oldest !== undefined;
  };
  const readEnds = async (tenant: string) => {
    const reading = guardRead(() => pool.query<Nullable<Ends>>({ name: 'ends', text: ENDS, values: [tenant] }));
    const [ends] = (await unlessAway(reading))?.rows ?? [];
    const { firstMs = null, lastMs = null } = ends ?? {};
    touched.add(tenant);
    if (firstMs === null || lastMs === null) claimedBefore.delete(tenant);
    else claimedBefore.set(tenant, { firstMs, lastMs });
  };

  return {
    nextMs: async () => {
      await listIfDue();
      const isStored = stored.size > 0;
      // Once: of tenants that the claim leaves out, the next call looks whether others have claimed their checks.
      stored.clear();
      if (isStored) return 0;
      for (const tenant of [...fresh.keys()]) if (await hasUnclaimed(tenant)) return 0;
      // What this process has claimed may be done.
      await Promise.all([...claimedBefore.keys()].map(readEnds));
      const first = Math.min(...[...claimedBefore.values()].map(({ firstMs }) => firstMs));
      return Number.isFinite(first) ? first : null;
    },
    add,
    addPossible,
    remove,
    claimed: (tenant, leaseEndMs) => {
      touched.add(tenant);
      const { firstMs, lastMs } = claimedBefore.get(tenant) ?? { firstMs: leaseEndMs, lastMs: leaseEndMs };
      // To the end: the others have their turns before it has another.
      claimedBefore.delete(tenant);
      claimedBefore.set(tenant, {
        firstMs: Math.min(firstMs, leaseEndMs),
        lastMs: Math.max(lastMs, leaseEndMs),
      });
    },
    find: async ({ nowMs, latestMs }) => {
      await listIfDue();
      const ended = [...claimedBefore].filter(([, { firstMs, lastMs }]) => firstMs <= nowMs || lastMs > latestMs);
      return { fresh: [...fresh].sort(byOldest).map(([tenant]) => tenant), again: ended.map(([tenant]) => tenant) };
    },
  };
}

const byOldest = ([, one]: readonly [string, string], [, other]: readonly [string, string]): number =>
  one < other ? -1 : one > other ? 1 : 0;
