/** Whether a check was admitted. */
export type BacklogOutcome = 'stored' | 'backlogFull';

interface Request {
  readonly tenant: string;
  readonly backlogMax: number;
}

interface Count {
  pending: number;
  /** Above this number, pending checks are counted again. */
  readonly validUpTo: number;
  readonly countedAtMs: number;
}

interface RoomDeps {
  /** The pending checks of each tenant, in order; counting ends at `countMax`. */
  countPending(tenants: readonly string[], countMax: number): Promise<readonly number[]>;
  now(): number;
}

const VALID_MS = 1_000;
const TENANTS_MAX = 10_000;

/**
 * Decides which checks the backlog of a tenant has room for. Far from the limit it adds to its last count, up to a tenth of
 * the remaining room. Other processes store checks too, so the limit may be exceeded by what they store meanwhile.
 */
export function createBacklogRoom({ countPending, now }: RoomDeps) {
  const counts = new Map<string, Count>();

  const recount = async (requests: readonly Request[]) => {
    if (counts.size > TENANTS_MAX) counts.clear();
    const byTenant = Map.groupBy(requests, ({ tenant }) => tenant);
    const outdated = [...byTenant].filter(([tenant, { length }]) => {
      const count = counts.get(tenant);
      return count === undefined || now() - count.countedAtMs > VALID_MS || count.pending + length > count.validUpTo;
    });
    if (outdated.length === 0) return;
    const countMax = Math.max(...requests.map(({ backlogMax }) => backlogMax));
    const found = await countPending(
      outdated.map(([tenant]) => tenant),
      countMax,
    );
    for (const [place, [tenant, own]] of outdated.entries()) {
      const pending = found[place] ?? countMax;
      const room = Math.min(...own.map(({ backlogMax }) => backlogMax)) - pending;
      counts.set(tenant, { pending, validUpTo: pending + Math.floor(room / 10), countedAtMs: now() });
    }
  };

  return async (requests: readonly Request[]): Promise<readonly BacklogOutcome[]> => {
    await recount(requests);
    return requests.map(({ tenant, backlogMax }) => {
      const count = counts.get(tenant);
      if (count === undefined || count.pending >= backlogMax) return 'backlogFull';
      count.pending += 1;
      return 'stored';
    });
  };
}
