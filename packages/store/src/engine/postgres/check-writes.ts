import {
  type CheckWrites,
  type ClaimedRow,
  type ClaimKey,
  COMPLETED,
  type Completed,
  type CompletionRow,
} from '../check-writes.ts';
import { ATTEMPTS_LEFT_MIN, CLAIMED, GIVEN_BACK, latestClaimableAtMs, RELEASED } from '../lease.ts';
import { type CheckDeps, columnsOf, createPostgresEnqueue, notifyOf } from './enqueue.ts';
import { isLockTimeout } from './errors.ts';

/** Each write is one statement with a commit of its own. */
export function createPostgresCheckWrites(deps: CheckDeps): CheckWrites {
  const { pool, guardWrite } = deps;
  return {
    enqueue: createPostgresEnqueue(deps),
    nextClaimableAtMs: null,
    claim: async (request) => {
      const { nowMs, leaseMs, limit, attemptsMax, attemptsMin = 0, tenantLimits = new Map(), otherLimit } = request;
      const latestMs = latestClaimableAtMs(nowMs, leaseMs);
      const limits = JSON.stringify(Object.fromEntries(tenantLimits));
      const values = [nowMs, nowMs + leaseMs, latestMs, limit, attemptsMax, attemptsMin, limits, otherLimit ?? limit];
      const { rows } = await guardWrite(() => pool.query<ClaimedRow>({ name: 'claim', text: CLAIM, values }));
      return rows;
    },
    complete: (completions) => complete(deps, completions),
    release: async ({ tenant, request_id, fence }, availableAtMs) => {
      const values = [availableAtMs, tenant, request_id, fence];
      await guardWrite(() => pool.query({ name: 'release', text: RELEASE, values }));
    },
    renew: async (claims, leaseEndMs) => {
      const values = [...columnsOf(claims, KEY), leaseEndMs];
      const { rows } = await guardWrite(() =>
        pool.query<Pick<ClaimKey, 'tenant' | 'request_id'>>({ name: 'renew', text: RENEW, values }),
      );
      return rows;
    },
    giveBack: async (claims) => {
      const values = columnsOf(claims, KEY);
      // First, because what is given back has a later fence then.
      await guardWrite(() => pool.query({ name: 'uncount', text: UNCOUNT, values }));
      await guardWrite(() => pool.query({ name: 'give back', text: GIVE_BACK, values }));
    },
  };
}

/**
 * Takes the oldest checks of each tenant in turn, so that a backlog of one tenant does not hold up the others. Checks that
 * were claimed before come first. It steps from tenant to tenant through the index, so its cost does not depend on the
 * number of checks.
 * $1 now, $2 the end of the lease, $3 the latest time that a lease may end, $4 limit, $5 most and $6 least attempts,
 * $7 limits by tenant, $8 limit of other tenants.
 */
const CLAIM = `
  with recursive waiting (tenant) as (
    (
      select tenant from sod_check
      where $6::integer = 0 and state = 'PENDING' and attempts = 0 order by tenant limit 1
    )
    union all
    select (
      select tenant from sod_check
      where state = 'PENDING' and attempts = 0 and tenant > waiting.tenant order by tenant limit 1
    )
    from waiting where waiting.tenant is not null
  ),
  served as (
    select tenant, coalesce(($7::jsonb ->> tenant)::integer, $8::integer) as places from waiting
    where tenant is not null and coalesce(($7::jsonb ->> tenant)::integer, 1) > 0
    order by case when (select count(tenant) from waiting) > $4::integer then (
      select created from sod_check
      where state = 'PENDING' and attempts = 0 and tenant = waiting.tenant order by created limit 1
    ) end limit $4::integer
  ),
  unclaimed as (
    select place, created, row_number() over (partition by served.tenant order by created) as turn
    from served cross join lateral (
      select ctid as place, created from sod_check
      where state = 'PENDING' and attempts = 0 and tenant = served.tenant order by created, request_id
      limit (select least($4::integer, served.places, 2 * ceil($4::numeric / count(*)))::integer from served all_served)
      for update skip locked
    ) oldest
  ),
  claimed_before as (
    select ctid as place, created, 0 as turn from sod_check
    where $5::integer > 1 and state = 'PENDING' and attempts > 0 and attempts < $5::integer
      and (claimable_at_ms <= $1::bigint or claimable_at_ms > $3::bigint)
      and coalesce(($7::jsonb ->> tenant)::integer, 1) > 0
    order by created limit $4::integer for update skip locked
  ),
  chosen as (
    select * from (select * from unclaimed union all select * from claimed_before) both_kinds
    order by turn, created limit $4::integer
  )
  update sod_check set claimable_at_ms = $2::bigint, ${CLAIMED}
  from chosen where sod_check.ctid = chosen.place
  returning tenant, request_id, sod_check.created, identity_id, access_refs, client_metadata, includes, at_instant, origin,
    fence, attempts`;

const RELEASE = `
  update sod_check set claimable_at_ms = $1, ${RELEASED}
  where tenant = $2 and request_id = $3 and fence = $4 and state = 'PENDING'`;

const KEY = ['tenant', 'request_id', 'fence'] as const;

/** Finds the rows of claims by key: $1 tenants, $2 request ids, $3 fences. */
const HELD = `
  held as (
    select pending.place, row.fence as held_fence
    from unnest($1::text[], $2::text[], $3::integer[]) as row (tenant, request_id, fence)
    cross join lateral (
      select ctid as place from sod_check
      where tenant = row.tenant and request_id = row.request_id and fence = row.fence and state = 'PENDING'
      offset 0
    ) pending
  )`;
const IS_HELD = `sod_check.ctid = held.place and sod_check.fence - held.held_fence = 0 and sod_check.state = 'PENDING'`;
const RENEW = `
  with ${HELD} update sod_check set claimable_at_ms = $4::bigint from held where ${IS_HELD} returning tenant, request_id`;
// A worker may have lost several claims of one check.
const UNCOUNT = `
  update sod_check set attempts = greatest(${ATTEMPTS_LEFT_MIN}, attempts - lost.times) from (
    select tenant, request_id, count(*) as times
    from unnest($1::text[], $2::text[], $3::integer[]) as row (tenant, request_id, fence)
    join sod_check later using (tenant, request_id)
    where later.fence > row.fence and later.state = 'PENDING' group by tenant, request_id
  ) lost where sod_check.tenant = lost.tenant and sod_check.request_id = lost.request_id
    and sod_check.attempts > ${ATTEMPTS_LEFT_MIN} and sod_check.state = 'PENDING'`;
const GIVE_BACK = `with ${HELD} update sod_check set ${GIVEN_BACK} from held where ${IS_HELD}`;

/**
 * Completes checks of the tenants whose `event_head` is not locked. The offset and the difference of the fences keep the
 * planner from any plan but one look-up by key for each row.
 */
const COMPLETE = `
  with locked as (
    select tenant from event_head where tenant = any($1::text[]) order by tenant for no key update skip locked
  ),
  open as (
    select pending.place, row.fence, row.state, row.completed, row.result, row.event_data
    from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[])
      as row (tenant, request_id, fence, state, completed, result, event_data)
    join locked on locked.tenant = row.tenant
    cross join lateral (
      select ctid as place from sod_check
      where tenant = row.tenant and request_id = row.request_id and fence = row.fence and state = 'PENDING'
      offset 0
    ) pending
  ),
  done as (
    update sod_check set state = open.state, completed = open.completed, result = open.result
    from open
    where sod_check.ctid = open.place and sod_check.fence - open.fence = 0 and sod_check.state = 'PENDING'
    returning sod_check.tenant, sod_check.request_id, sod_check.completed, open.event_data
  ),
  counted as (select tenant, count(*) as count from done group by tenant),
  head as (
    insert into event_head (tenant, sequence, removed_to)
    select tenant, count, 0 from counted order by tenant
    on conflict (tenant) do update set sequence = event_head.sequence + excluded.sequence
    returning tenant, sequence
  ),
  numbered as (select done.*, row_number() over (partition by tenant order by completed, request_id) as place from done),
  appended as (
    insert into event (tenant, sequence, id, type, resource_id, time, data)
    select numbered.tenant, head.sequence - counted.count + numbered.place, gen_random_uuid()::text, '${COMPLETED}',
      numbered.request_id, numbered.completed, numbered.event_data
    from numbered join counted on counted.tenant = numbered.tenant join head on head.tenant = numbered.tenant
  ),
  told as (select ${notifyOf('events')} from done limit 1)
  select (select count(*) from done) as effective, (select count(*) from told) as told,
    array(select tenant from locked) as tenants,
    array(
      select distinct given.tenant from unnest($1::text[]) as given (tenant)
      where not exists (select 1 from event_head where event_head.tenant = given.tenant)
    ) as "withoutHead"`;

// Waits only if another transaction has created the head and is not committed yet. A tenant may have been removed with its checks.
const CREATE_HEAD = `
  insert into event_head (tenant, sequence, removed_to)
  select $1::text, 0, 0 where set_config('lock_timeout', '10ms', true) is not null
    and exists (select 1 from sod_check where tenant = $1::text)
  on conflict (tenant) do nothing`;

type CompleteDeps = Pick<CheckDeps, 'pool' | 'guardWrite' | 'commits'>;

const COLUMNS = ['tenant', 'request_id', 'fence', 'state', 'completed', 'result', 'event_data'] as const;

/** Completes checks without waiting for the heads of tenants that others have locked. */
async function complete(deps: CompleteDeps, completions: readonly CompletionRow[]): Promise<Completed> {
  const rowByClaim = new Map<string, CompletionRow>();
  for (const completion of completions) {
    const claim = `${completion.tenant} ${completion.request_id} ${completion.fence}`;
    // The first completion of a claim counts.
    if (!rowByClaim.has(claim)) rowByClaim.set(claim, completion);
  }
  const rows = [...rowByClaim.values()];
  const { effective, tenants, withoutHead } = await completeUnlocked(deps, rows);
  const created = new Set<string>();
  for (const tenant of withoutHead) if (await createHead(deps, tenant)) created.add(tenant);
  const ofCreated = rows.filter(({ tenant }) => created.has(tenant));
  const later = ofCreated.length === 0 ? null : await completeUnlocked(deps, ofCreated);
  const tried = new Set([...tenants, ...(later?.tenants ?? [])]);
  return {
    effective: effective + (later?.effective ?? 0),
    lockedTenants: new Set(rows.map(({ tenant }) => tenant).filter((tenant) => !tried.has(tenant))),
  };
}

interface CompletedRow {
  readonly effective: number;
  readonly tenants: readonly string[];
  readonly withoutHead: readonly string[];
}

async function completeUnlocked(
  { pool, guardWrite, commits }: CompleteDeps,
  rows: readonly CompletionRow[],
): Promise<CompletedRow> {
  const values = columnsOf(rows, COLUMNS);
  const completed = await guardWrite(() => pool.query<CompletedRow>({ name: 'complete', text: COMPLETE, values }));
  const [row = { effective: 0, tenants: [], withoutHead: [] }] = completed.rows;
  // Each completion tells an event.
  if (row.effective > 0) commits.notify('events');
  return row;
}

/** False if another transaction is creating it. */
const createHead = ({ pool, guardWrite }: CompleteDeps, tenant: string): Promise<boolean> =>
  guardWrite(async () => {
    try {
      await pool.query({ name: 'create event head', text: CREATE_HEAD, values: [tenant] });
      return true;
    } catch (error) {
      if (isLockTimeout(error)) return false;
      throw error;
    }
  });
