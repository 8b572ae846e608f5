import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { SodCheckRow } from '../../schema/tables.ts';
import {
  type CheckWrites,
  type ClaimedRow,
  type ClaimKey,
  type ClaimRequest,
  COMPLETED,
  type Completed,
  type CompletionRow,
} from '../check-writes.ts';
import { StorageFull, StorageUnavailable } from '../errors.ts';
import { newEventId } from '../event-id.ts';
import { ATTEMPTS_LEFT_MIN, CLAIMED, GIVEN_BACK, latestClaimableAtMs, RELEASED } from '../lease.ts';
import { cacheRead } from '../read-cache.ts';
import { uncachedOf } from './commit-signal.ts';
import { type CheckDeps, columnsOf, createEnqueue, GIVEN_OF_TENANT, insertOnce } from './enqueue.ts';
import { unlessAway, unlessBlocked } from './errors.ts';
import { createWaitingTenants, type WaitingTenants } from './waiting-tenants.ts';

/** Each statement is of one tenant, so of one shard. Of all is only the list of tenants that wait. */
export function createDistributedCheckWrites(deps: CheckDeps): CheckWrites {
  const waiting = createWaitingTenants(deps);
  /** What could not be given back or released of tenants whose node was away. */
  const owed = new LRUCache<string, readonly ClaimKey[]>({ max: OWED_TENANTS_MAX });
  const failing = new LRUCache<string, true>({ max: FAILING_TENANTS_MAX, ttl: FAILING_MS });
  const owe = (tenant: string, claims: readonly ClaimKey[]) =>
    owed.set(tenant, [...(owed.get(tenant) ?? []), ...claims].slice(-OWED_MAX));
  const giveBack = async (tenant: string, claims: readonly ClaimKey[]) => {
    const values = [tenant, ...columnsOf(claims, KEY)];
    // First, because what is given back has a later fence then.
    const uncounted = await tryWriteOf(deps, { text: UNCOUNT, values });
    const given = uncounted && (await tryWriteOf(deps, { text: GIVE_BACK, values }));
    if (given === null) owe(tenant, claims);
    // They have their old places.
    waiting.addPossible(tenant, '');
  };
  const giveBackOwed = async (tenant: string) => {
    const claims = owed.get(tenant);
    owed.delete(tenant);
    if (claims !== undefined) await giveBack(tenant, claims);
  };
  return {
    enqueue: createDistributedEnqueue(deps, waiting),
    claim: (request) => claim({ ...deps, waiting, failing, giveBackOwed }, request),
    nextClaimableAtMs: waiting.nextMs,
    complete: (completions) => complete(deps, completions),
    release: async ({ tenant, request_id, fence }, availableAtMs) => {
      const values = [availableAtMs, tenant, request_id, fence];
      const released = await tryWriteOf(deps, { name: 'release', text: RELEASE, values });
      // What its node was away for has not failed.
      if (released === null) owe(tenant, [{ tenant, request_id, fence }]);
      waiting.claimed(tenant, availableAtMs);
    },
    renew: async (claims, leaseEndMs) => {
      const renewed = await ofEachTenant(claims, async (tenant, own) => {
        const values = [tenant, ...columnsOf(own, KEY), leaseEndMs];
        const query = { text: RENEW, values };
        const ofWork = { ...deps, pool: deps.workPool };
        return (await writeOf<Pick<ClaimKey, 'tenant' | 'request_id'>>(ofWork, query))?.rows ?? [];
      });
      return renewed.flat();
    },
    giveBack: async (claims) => {
      await ofEachTenant(claims, giveBack);
    },
  };
}

/** Writes rows of one tenant. Null where its node is away, also where that is found out meanwhile: others wait for what a worker does. */
const writeOf = <R extends pg.QueryResultRow>(
  { pool, guardWrite }: CheckDeps,
  query: pg.QueryConfig,
): Promise<pg.QueryResult<R> | null> => unlessAway(guardWrite(() => pool.query<R>(query)));

/** Writes to a tenant. Null where its node is away or another transaction has locked its shard: the caller tries again soon. */
const tryWriteOf = <R extends pg.QueryResultRow>(
  deps: CheckDeps,
  query: pg.QueryConfig,
): Promise<pg.QueryResult<R> | null> => unlessBlocked(writeOf<R>({ ...deps, pool: deps.workPool }, query));

const ofEachTenant = <R extends { readonly tenant: string }, T>(
  rows: readonly R[],
  work: (tenant: string, own: readonly R[]) => Promise<T>,
): Promise<readonly T[]> =>
  Promise.all([...Map.groupBy(rows, ({ tenant }) => tenant)].map(([tenant, own]) => work(tenant, own)));

const COUNT_PENDING = `
  select (
    select count(*) from (
      select 1 from sod_check where tenant = $1 and state = 'PENDING' and attempts = 0 limit $2::bigint
    ) unclaimed
  ) + (select count(*) from sod_check where tenant = $1 and state = 'PENDING' and attempts > 0) as pending`;

const IS_REMOVED = 'select 1 from tenant_removal where tenant = $1';
const PRESENT = {};

const ENQUEUES_MAX = 10_000;
const OWED_TENANTS_MAX = 10_000;
const OWED_MAX = 1_000;
const FAILING_TENANTS_MAX = 10_000;
const FAILING_MS = 1_000;

/** Each tenant has batches of its own: those of one do not fail or wait with those of another. */
function createDistributedEnqueue(deps: CheckDeps, waiting: WaitingTenants): CheckWrites['enqueue'] {
  const byTenant = new LRUCache<string, CheckWrites['enqueue']>({ max: ENQUEUES_MAX });
  // From memory, as each statement takes as long as the insert. A removal outlasts what is remembered, and goes through checks again.
  const readPresent = cacheRead(deps.epochOf, async (tenant) => {
    const { rows } = await deps.guardRead(() =>
      deps.pool.query({ name: 'is removed', text: IS_REMOVED, values: [tenant] }),
    );
    return rows.length === 0 ? PRESENT : null;
  });
  const isRemoved = async (tenant: string) => (await readPresent(tenant, '')) === null;
  return (request) => {
    const { tenant } = request.row;
    const enqueue = byTenant.get(tenant) ?? createEnqueueOf(tenant, { ...deps, waiting, isRemoved });
    byTenant.set(tenant, enqueue);
    return enqueue(request);
  };
}

interface EnqueueDeps extends CheckDeps {
  readonly waiting: WaitingTenants;
  isRemoved(tenant: string): Promise<boolean>;
}

const createEnqueueOf = (tenant: string, { waiting, isRemoved, ...deps }: EnqueueDeps): CheckWrites['enqueue'] =>
  createEnqueue({
    countPending: async (_, countMax) => {
      const values = [tenant, countMax];
      const { rows } = await deps.guardRead(() =>
        deps.pool.query<{ pending: number }>({ name: 'count pending', text: COUNT_PENDING, values }),
      );
      return [rows[0]?.pending ?? 0];
    },
    store: async (rows) => {
      // A check of a tenant that is being removed goes with it.
      if (await isRemoved(tenant)) return;
      await insertOnce(deps, insertOf(tenant, rows));
      waiting.add(tenant, rows.map(({ created }) => created).reduce(earlier));
      deps.announce(uncachedOf('checks', tenant, deps.commits.id));
      deps.commits.notify('checks');
    },
  });

/** Citus carries out an insert by `values` in one shard, and one of a query on the coordinator. */
function insertOf(tenant: string, rows: readonly SodCheckRow[]): pg.QueryConfig {
  const placesOf = (row: number) => GIVEN_OF_TENANT.map((_, column) => `$${row * GIVEN_OF_TENANT.length + column + 2}`);
  const places = rows.map((_, row) => `($1, ${placesOf(row).join(', ')}, 'PENDING', 0, 0, 0)`);
  return {
    text: `insert into sod_check (tenant, ${GIVEN_OF_TENANT.join(', ')}, state, attempts, fence, claimable_at_ms)
      values ${places.join(', ')} on conflict (tenant, request_id) do nothing`,
    values: [tenant, ...rows.flatMap((row) => GIVEN_OF_TENANT.map((column) => row[column]))],
  };
}

/** $1 tenant, $2 most new checks, $3 end of the lease, $4 most attempts, $5 now, $6 latest end of a lease, $7 most of those claimed before. */
const CLAIM = `
  with fresh as materialized (
    select ctid as place, created, 1 as turn from sod_check
    where tenant = $1 and state = 'PENDING' and attempts = 0
    order by created, request_id limit $2::integer for update skip locked
  ),
  claimed_before as materialized (
    select ctid as place, created, 0 as turn from sod_check
    where tenant = $1 and state = 'PENDING' and attempts > 0 and attempts < $4::integer
      and (claimable_at_ms <= $5::bigint or claimable_at_ms > $6::bigint)
    order by created limit $7::integer for update skip locked
  ),
  chosen as (
    select place from (select * from fresh union all select * from claimed_before) both_kinds
    order by turn, created limit greatest($2::integer, $7::integer)
  )
  update sod_check set claimable_at_ms = $3::bigint, ${CLAIMED}
  from chosen where sod_check.tenant = $1 and sod_check.ctid = chosen.place
  returning tenant, request_id, sod_check.created, identity_id, access_refs, client_metadata, includes, at_instant, origin,
    fence, attempts`;

interface ClaimDeps extends CheckDeps {
  readonly waiting: WaitingTenants;
  /** Tenants whose checks could not be claimed a moment ago. */
  readonly failing: LRUCache<string, true>;
  giveBackOwed(tenant: string): Promise<void>;
}

/** Claims tenant by tenant: checks that were claimed before first, and the rest of the limit in equal shares. */
async function claim(
  { waiting, failing, giveBackOwed, ...deps }: ClaimDeps,
  request: ClaimRequest,
): Promise<readonly ClaimedRow[]> {
  const { nowMs, leaseMs, limit, attemptsMax, attemptsMin = 0, tenantLimits, otherLimit = limit, onFailure } = request;
  const latestMs = latestClaimableAtMs(nowMs, leaseMs);
  const leaseEndMs = nowMs + leaseMs;
  const isServed = (tenant: string) => (tenantLimits?.get(tenant) ?? 1) > 0 && !failing.has(tenant);
  const { again, fresh } = await waiting.find({ nowMs, latestMs });
  const claimed: ClaimedRow[] = [];
  /** Null where nothing could be claimed for now. Rejects where that is so for all tenants. */
  const claimOf = async (tenant: string, most: { readonly fresh: number; readonly again: number }) => {
    const values = [tenant, most.fresh, leaseEndMs, attemptsMax, nowMs, latestMs, most.again];
    const claiming = giveBackOwed(tenant).then(() =>
      tryWriteOf<ClaimedRow>(deps, { name: 'claim', text: CLAIM, values }),
    );
    const answer = await claiming.catch((error: unknown) => {
      if (error instanceof StorageUnavailable && !(error instanceof StorageFull)) throw error;
      failing.set(tenant, true);
      onFailure?.(tenant, error);
      return null;
    });
    if (answer === null) return null;
    const { rows } = answer;
    if (rows.length > 0) waiting.claimed(tenant, leaseEndMs);
    claimed.push(...rows);
    return rows;
  };

  if (attemptsMax > 1)
    for (const tenant of again.filter(isServed))
      if (claimed.length < limit) await claimOf(tenant, { fresh: 0, again: limit - claimed.length });
  if (attemptsMin > 0) return claimed;

  // A tenant with fewer checks than its share leaves the rest of it to the others.
  let open = fresh.filter(isServed).map((tenant) => ({ tenant, places: tenantLimits?.get(tenant) ?? otherLimit }));
  while (open.length > 0 && claimed.length < limit) {
    const share = Math.max(1, Math.floor((limit - claimed.length) / open.length));
    /** The places that its share leaves, where there may be more checks. */
    const claimShare = async ({ tenant, places }: (typeof open)[number]): Promise<number> => {
      // Before the claim: a check that is stored meanwhile is told of after it.
      waiting.remove(tenant);
      const most = Math.min(share, places);
      const rows = await claimOf(tenant, { fresh: most, again: 0 });
      if (rows !== null && rows.length < most) return 0;
      waiting.addPossible(tenant, rows === null ? '' : rows.map(({ created }) => created).reduce(later, ''));
      return rows === null ? 0 : places - most;
    };
    const asked = open.slice(0, limit - claimed.length);
    // At the same time, so that a tenant that is waited for holds up the others for that time alone.
    const left = await Promise.all(asked.map(claimShare));
    const more = asked.map(({ tenant }, place) => ({ tenant, places: left[place] ?? 0 }));
    open = [...open.slice(asked.length), ...more.filter(({ places }) => places > 0)];
  }
  return claimed;
}

const earlier = (one: string, other: string): string => (one < other ? one : other);
const later = (one: string, other: string): string => (one > other ? one : other);

const RELEASE = `
  update sod_check set claimable_at_ms = $1, ${RELEASED}
  where tenant = $2 and request_id = $3 and fence = $4 and state = 'PENDING'`;

const KEY = ['request_id', 'fence'] as const;

// Updates from `unnest` have no name: PostgreSQL would try a plan without their parameters, which Citus makes for all shards.

/** Finds the rows of claims of a tenant by key: $1 tenant, $2 request ids, $3 fences. */
const CLAIMS = 'unnest($2::text[], $3::integer[]) as claim (id, claim_fence)';
const IS_HELD = `
  sod_check.tenant = $1 and sod_check.request_id = claim.id and sod_check.fence = claim_fence
  and sod_check.state = 'PENDING'`;
const RENEW = `
  update sod_check set claimable_at_ms = $4::bigint from ${CLAIMS} where ${IS_HELD} returning tenant, sod_check.request_id`;
// A worker may have lost several claims of one check.
const UNCOUNT = `
  update sod_check set attempts = greatest(${ATTEMPTS_LEFT_MIN}, attempts - lost.times) from (
    select later.request_id, count(*) as times from ${CLAIMS} join sod_check later on later.request_id = claim.id
    where later.tenant = $1 and later.fence > claim_fence and later.state = 'PENDING' group by later.request_id
  ) lost where sod_check.tenant = $1 and sod_check.request_id = lost.request_id
    and sod_check.attempts > ${ATTEMPTS_LEFT_MIN} and sod_check.state = 'PENDING'`;
const GIVE_BACK = `update sod_check set ${GIVEN_BACK} from ${CLAIMS} where ${IS_HELD}`;

const HAS_HEAD = 'select 1 from event_head where tenant = $1';
const HAS_CHECKS = 'select 1 from sod_check where tenant = $1 limit 1';
const CREATE_HEAD = `
  insert into event_head (tenant, sequence, removed_to) values ($1, 0, 0) on conflict (tenant) do nothing`;
/**
 * Locks the head, finishes checks and takes numbers for their events in one statement, since each takes as long as its way to the node.
 * No row where another transaction has the lock or there is no head; one without a check where none is finished. `sequence` is
 * that before.
 */
const FINISH = `
  with head as (
    select sequence from event_head where tenant = $1 for no key update skip locked
  ),
  finished as (
    update sod_check set state = done.state, completed = done.completed, result = done.result
    from unnest($2::text[], $3::integer[], $4::text[], $5::text[], $6::text[])
      as done (request_id, fence, state, completed, result)
    where sod_check.tenant = $1 and sod_check.request_id = done.request_id and sod_check.fence = done.fence
      and sod_check.state = 'PENDING' and exists (select 1 from head)
    returning sod_check.request_id, sod_check.completed
  ),
  numbered as (
    update event_head set sequence = sequence + (select count(*) from finished)
    where tenant = $1 and exists (select 1 from finished)
  )
  select head.sequence, finished.request_id, finished.completed from head left join finished on true`;

interface FinishedRow {
  readonly sequence: number;
  readonly request_id: string | null;
  readonly completed: string | null;
}

/** Completes the checks of each tenant without waiting for what others have locked, or for a node that is away. */
async function complete(deps: CheckDeps, completions: readonly CompletionRow[]): Promise<Completed> {
  const lockedTenants = new Set<string>();
  const failures: unknown[] = [];
  let effective = 0;
  await ofEachTenant(completions, async (tenant, rows) => {
    const storing = deps.guardWrite(() => inTransaction(deps, (client) => completeOf(client, tenant, rows)));
    const done = await unlessBlocked(storing).catch((error: unknown) => {
      failures.push(error);
      return 0;
    });
    if (done === null) lockedTenants.add(tenant);
    else effective += done;
    // Each completion tells an event.
    if (done !== null && done > 0) {
      deps.changedTenants?.tell(tenant, 'events');
      deps.announce(uncachedOf('events', tenant));
    }
  });
  if (effective > 0) deps.commits.notify('events');
  // Not before the others have ended: the caller repeats all.
  if (failures.length > 0) throw failures[0];
  return { effective, lockedTenants };
}

async function inTransaction<T>(
  { workPool, workLockMs, reportLostConnection }: CheckDeps,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await workPool.connect();
  let isBroken = true;
  try {
    // What a session says of its locks holds on the coordinator alone; this goes to the node with the first statement.
    await client.query(`begin; set local lock_timeout = ${workLockMs}`);
    const value = await work(client);
    await client.query('commit');
    isBroken = false;
    return value;
  } catch (error) {
    reportLostConnection(error);
    throw error;
  } finally {
    // A connection that is not reused ends its transaction.
    client.release(isBroken);
  }
}

/** How many completions took effect; null where another transaction numbers events of the tenant. */
async function completeOf(
  client: pg.PoolClient,
  tenant: string,
  rows: readonly CompletionRow[],
): Promise<number | null> {
  // The first completion of a claim counts.
  const byClaim = new Map(rows.toReversed().map((row) => [`${row.request_id} ${row.fence}`, row]));
  const own = [...byClaim.values()];
  const values = [tenant, ...columnsOf(own, ['request_id', 'fence', 'state', 'completed', 'result'])];
  const finish = async () => (await client.query<FinishedRow>({ text: FINISH, values })).rows;
  const isThere = async (name: string, text: string) =>
    (await client.query({ name, text, values: [tenant] })).rows.length > 0;
  let finished = await finish();
  if (finished.length === 0) {
    if (await isThere('has head', HAS_HEAD)) return null;
    // A tenant may have been removed with its checks.
    if (!(await isThere('has checks', HAS_CHECKS))) return 0;
    await client.query({ name: 'create head', text: CREATE_HEAD, values: [tenant] });
    finished = await finish();
  }
  const [head] = finished;
  if (head === undefined) return null;
  const done = finished.flatMap(({ request_id, completed }) =>
    request_id === null || completed === null ? [] : [{ request_id, completed }],
  );
  if (done.length === 0) return 0;
  const dataOf = new Map(own.map(({ request_id, event_data }) => [request_id, event_data]));
  const events = done
    .toSorted((one, other) => compare(one.completed, other.completed) || compare(one.request_id, other.request_id))
    .map(({ request_id, completed }, place) => [
      head.sequence + 1 + place,
      newEventId(),
      request_id,
      completed,
      dataOf.get(request_id) ?? null,
    ]);
  const places = events.map((event, row) => {
    const [sequence, id, ...others] = event.map((_, column) => `$${row * event.length + column + 2}`);
    return `($1, ${sequence}, ${id}, '${COMPLETED}', ${others.join(', ')})`;
  });
  await client.query(
    `insert into event (tenant, sequence, id, type, resource_id, time, data) values ${places.join(', ')}`,
    [tenant, ...events.flat()],
  );
  return done.length;
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
