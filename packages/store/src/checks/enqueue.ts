import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { gather } from '../engine/concurrency/gather.ts';
import { startStopwatch } from '../engine/concurrency/stopwatch.ts';
import type { Database } from '../engine/database.ts';
import { insertMissing } from '../query/insert.ts';
import type { NewCheck } from './check.ts';
import { checkToRow } from './codec.ts';

interface Request {
  readonly check: NewCheck;
  /** The number of pending checks that the tenant may have. */
  readonly backlogMax: number;
}

export type Enqueued = 'stored' | 'backlogFull';

/** What is known of the checks of a tenant. */
interface Backlog {
  pending: number;
  readonly isRemoved: boolean;
  readonly knownForMs: () => number;
}

// PostgreSQL stores so many by one statement.
const BATCH_MAX = 250;
const TENANTS_MAX = 10_000;
/** Other processes store checks too: what they store in this time may exceed the limit. */
const KNOWN_MS = 1_000;

/** Stores the checks of a tenant that come in one turn of the event loop, and while others of it are stored, together. */
export function createEnqueue(database: Database): (check: NewCheck, backlogMax: number) => Promise<Enqueued> {
  const byTenant = new LRUCache<string, (request: Request) => Promise<Enqueued>>({ max: TENANTS_MAX });
  return (check, backlogMax) => {
    const enqueue = byTenant.get(check.tenant) ?? createEnqueueOf(database, check.tenant);
    byTenant.set(check.tenant, enqueue);
    return enqueue({ check, backlogMax });
  };
}

function createEnqueueOf(database: Database, tenant: string) {
  let known: Backlog | null = null;

  const readBacklog = async (requests: readonly Request[]): Promise<Backlog> => {
    const maxima = requests.map(({ backlogMax }) => backlogMax);
    const isKnown = known !== null && known.knownForMs() <= KNOWN_MS;
    if (known !== null && isKnown && known.pending + requests.length <= Math.min(...maxima)) return known;
    known = await countPending(database, tenant, Math.max(...maxima));
    return known;
  };

  return gather<Request, Enqueued>(
    async (requests) => {
      const backlog = await readBacklog(requests);
      const outcomes = requests.map(({ backlogMax }): Enqueued => {
        if (backlog.pending >= backlogMax) return 'backlogFull';
        backlog.pending += 1;
        return 'stored';
      });
      const rows = requests.flatMap(({ check }, at) => (outcomes[at] === 'stored' ? checkToRow(check) : []));
      // A check of a tenant that is being removed goes with it.
      if (rows.length === 0 || backlog.isRemoved) return outcomes;
      await database.writeStatement((db) => insertMissing(db, 'sod_check', rows));
      database.announceWork(tenant, 'checks');
      return outcomes;
    },
    { requestsMax: BATCH_MAX },
  );
}

/** Counts up to `countMax`. */
async function countPending({ read }: Database, tenant: string, countMax: number): Promise<Backlog> {
  const knownForMs = startStopwatch();
  const { rows } = await read((db) =>
    sql<{ readonly pending: number; readonly removals: number }>`
      select (
        select count(*) from (
          select 1 from sod_check where tenant = ${tenant} and state = 'PENDING' limit ${countMax}
        ) as pending
      ) as pending, (select count(*) from tenant_removal where tenant = ${tenant}) as removals`.execute(db),
  );
  const [{ pending, removals } = { pending: 0, removals: 0 }] = rows;
  return { pending: Number(pending), isRemoved: Number(removals) > 0, knownForMs };
}
