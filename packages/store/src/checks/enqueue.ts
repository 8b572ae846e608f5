import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { gather } from '../engine/concurrency/gather.ts';
import { startStopwatch } from '../engine/concurrency/stopwatch.ts';
import type { Database } from '../engine/database.ts';
import { TenantRemoved } from '../engine/errors.ts';
import { insertMissing } from '../query/insert.ts';
import { jsonRows } from '../query/json-rows.ts';
import { isBeingRemoved } from '../record/tenants/store.ts';
import { sodCheck } from '../schema/tables/sod-check.ts';
import type { SodCheckRow, Tables } from '../schema/tables.ts';
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
  readonly knownForMs: () => number;
}

// The most checks that PostgreSQL stores in one statement.
const BATCH_MAX = 250;
const TENANTS_MAX = 10_000;
/** Other processes store checks too: what they store in this time may exceed the limit. */
const KNOWN_MS = 1_000;

/** Stores the checks of a tenant that come in one turn of the event loop, and while others of it are stored, together. */
export function createEnqueue(database: Database): (check: NewCheck, backlogMax: number) => Promise<Enqueued> {
  // With `max`, room for all of them would be taken at once.
  const byTenant = new LRUCache<string, (request: Request) => Promise<Enqueued>>({
    maxSize: TENANTS_MAX,
    sizeCalculation: () => 1,
  });
  return (check, backlogMax) => {
    const known = byTenant.get(check.tenant);
    if (known !== undefined) return known({ check, backlogMax });
    const enqueue = createEnqueueOf(database, check.tenant);
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
      if (rows.length === 0) return outcomes;
      if (!(await storeChecks(database, tenant, rows))) throw new TenantRemoved(tenant);
      database.announceWork(tenant, 'checks');
      return outcomes;
    },
    { requestsMax: BATCH_MAX },
  );
}

/** Stores none where the tenant is being removed or has moved away; a move that is under way waits, or is waited for. */
const storeChecks = (database: Database, tenant: string, rows: readonly SodCheckRow[]): Promise<boolean> =>
  database.chainsWrites
    ? database.writeStatement((db) => storeByStatement(db, tenant, rows))
    : database.writeIdempotent(async (trx) => {
        await trx.selectFrom('tenant').select('tenant').where('tenant', '=', tenant).forKeyShare().execute();
        if (await isBeingRemoved(trx, tenant)) return false;
        await insertMissing(trx, 'sod_check', rows);
        return true;
      });

async function storeByStatement(db: Kysely<Tables>, tenant: string, given: readonly SodCheckRow[]): Promise<boolean> {
  const columns = sql.join(Object.keys(sodCheck.columns).map((column) => sql.ref(column)));
  const { rows } = await sql`
    with held as (select is_removed from tenant where tenant = ${tenant} for key share),
    removal as (
      select 1 from held where is_removed = 1 union all select 1 from tenant_removal where tenant = ${tenant}
    ),
    stored as (
      insert into sod_check (${columns}) select ${columns} from ${jsonRows(sodCheck.columns, given)}
      where not exists (select 1 from removal) on conflict do nothing
    )
    select 1 from removal`.execute(db);
  return rows.length === 0;
}

/** Counts up to `countMax`. */
async function countPending({ read }: Database, tenant: string, countMax: number): Promise<Backlog> {
  const knownForMs = startStopwatch();
  const { rows } = await read((db) =>
    sql<{ readonly pending: number }>`
      select count(*) as pending from (
        select 1 from sod_check where tenant = ${tenant} and state = 'PENDING' limit ${countMax}
      ) as pending`.execute(db),
  );
  return { pending: Number(rows[0]?.pending ?? 0), knownForMs };
}
