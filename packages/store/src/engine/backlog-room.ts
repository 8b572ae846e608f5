/** Whether a check was admitted. */
export type BacklogOutcome = 'stored' | 'backlogFull';

interface Request {
  readonly tenant: string;
  readonly backlogMax: number;
}

interface Count {
  pending: number;
  /** From this number on it is counted anew. */
  readonly trustedUpTo: number;
  readonly countedMs: number;
}

interface RoomDeps {
  /** The pending checks of each tenant, in order; counting ends at `countMax`. */
  countPending(tenants: readonly string[], countMax: number): Promise<readonly number[]>;
  now(): number;
}

const TRUSTED_MS = 1_000;
const TENANTS_MAX = 10_000;

/**
 * Says which checks a backlog has room for. Far from the limit it goes on from its last count, for a tenth of the room that
 * was left: other processes store checks too, and may go beyond the limit by what they store at the same moment.
 */
export function createBacklogRoom({ countPending, now }: RoomDeps) {
  const counts = new Map<string, Count>();

  const recount = async (requests: readonly Request[]) => {
    if (counts.size > TENANTS_MAX) counts.clear();
    const byTenant = Map.groupBy(requests, ({ tenant }) => tenant);
    const doubtful = [...byTenant].filter(([tenant, { length }]) => {
      const count = counts.get(tenant);
      return count === undefined || now() - count.countedMs > TRUSTED_MS || count.pending + length > count.trustedUpTo;
    });
    if (doubtful.length === 0) return;
    const countMax = Math.max(...requests.map(({ backlogMax }) => backlogMax));
    const found = await countPending(
      doubtful.map(([tenant]) => tenant),
      countMax,
    );
    for (const [place, [tenant, own]] of doubtful.entries()) {
      const pending = found[place] ?? countMax;
      const room = Math.min(...own.map(({ backlogMax }) => backlogMax)) - pending;
      counts.set(tenant, { pending, trustedUpTo: pending + Math.floor(room / 10), countedMs: now() });
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
