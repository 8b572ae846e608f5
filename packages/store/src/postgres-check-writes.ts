import { createBacklogRoom } from './backlog-room.ts';
import { byAge, type ClaimedRow, checkToRow, completionToRow, rowToClaimedCheck } from './check-codec.ts';
import type { CheckWrites } from './database.ts';
import { gather } from './gather.ts';
import { CHANNEL, CHECKS } from './postgres-commit-signal.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { isConnectionLost, isUniqueViolation } from './postgres-errors.ts';
import {
  type CheckCompletion,
  type CheckQueue,
  type NewCheck,
  OutcomeUnknown,
  RETRY_DELAY_MS_MAX,
  StorageUnavailable,
} from './store.ts';

type Deps = Pick<PostgresDatabase, 'pool' | 'guardRead' | 'guardWrite' | 'guardPatiently' | 'commits'>;

/** Each is one statement, which commits by itself. */
export function createPostgresCheckWrites(deps: Deps): CheckWrites {
  const { pool, guardWrite } = deps;
  return {
    enqueue: createEnqueue(deps),
    claim: async ({ nowMs, leaseMs, limit, attemptsMax }) => {
      const values = [nowMs, nowMs + leaseMs, nowMs + leaseMs + RETRY_DELAY_MS_MAX, limit, attemptsMax];
      const { rows } = await guardWrite(() => pool.query<ClaimedRow>({ name: 'claim', text: CLAIM, values }));
      // An update returns its rows in no order.
      return rows.map(rowToClaimedCheck).sort(byAge);
    },
    complete: (completions) => complete(deps, completions),
    release: async ({ tenant, requestId, fence }, availableAtMs) => {
      const values = [availableAtMs, tenant, requestId, fence];
      await guardWrite(() => pool.query({ name: 'release', text: RELEASE, values }));
    },
  };
}

// A claim that a crash of the server takes back is claimed again: no reason to wait for the disk.
const LAZILY = `set_config('synchronous_commit', 'off', true)`;

const NOTIFY = `pg_notify(${CHANNEL}, '${CHECKS}')`;

/**
 * The oldest of each tenant that waits, an equal share for each, so that the backlog of one does not hold up the others; and
 * before them those that were claimed before, which would wait as long as new ones come. From one tenant to the next through the index: the number of checks does not matter.
 * $1 now, $2 the end of the lease, $3 too far off, $4 limit, $5 most attempts.
 */
const CLAIM = `
  with recursive waiting (tenant) as (
    (select tenant from sod_check where state = 'PENDING' and attempts = 0 order by tenant limit 1)
    union all
    select (
      select tenant from sod_check
      where state = 'PENDING' and attempts = 0 and tenant > waiting.tenant order by tenant limit 1
    )
    from waiting where waiting.tenant is not null
  ),
  served as (
    select tenant from waiting where tenant is not null
    order by case when (select count(tenant) from waiting) > $4::integer then (
      select created from sod_check
      where state = 'PENDING' and attempts = 0 and tenant = waiting.tenant order by created limit 1
    ) end limit $4::integer
  ),
  unclaimed as (
    select oldest.* from served cross join lateral (
      select ctid as place, false as is_again, created from sod_check
      where state = 'PENDING' and attempts = 0 and tenant = served.tenant order by created, request_id
      limit (select ceil($4::numeric / count(*))::integer from served)
      for update skip locked
    ) oldest
  ),
  claimed_before as (
    select ctid as place, true as is_again, created from sod_check
    where $5::integer > 1 and state = 'PENDING' and attempts > 0 and attempts < $5::integer
      and (claimable_at_ms <= $1::bigint or claimable_at_ms > $3::bigint)
    order by created limit $4::integer for update skip locked
  ),
  chosen as (
    select * from (select * from unclaimed union all select * from claimed_before) both_kinds
    order by is_again desc, created limit $4::integer
  )
  update sod_check set claimable_at_ms = $2::bigint, attempts = attempts + 1, fence = fence + 1
  from chosen where sod_check.ctid = chosen.place and (select ${LAZILY}) is not null
  returning tenant, request_id, sod_check.created, identity_id, access_refs, client_metadata, fence,
    attempts`;

// The fence moves too: who gave the check back cannot complete it any more.
const RELEASE = `
  update sod_check set claimable_at_ms = $1, fence = fence + 1
  where tenant = $2 and request_id = $3 and fence = $4 and state = 'PENDING'`;

// Row by row through the key, whatever the planner thinks of the sizes: that is what the offset is for. A row that another
// changes meanwhile is another row then, and not this claim's any more.
const COMPLETE = `
  with open as (
    select pending.place, row.state, row.completed, row.result
    from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[])
      as row (tenant, request_id, fence, state, completed, result)
    cross join lateral (
      select ctid as place from sod_check
      where tenant = row.tenant and request_id = row.request_id and fence = row.fence and state = 'PENDING'
      offset 0
    ) pending
  ),
  done as (
    update sod_check set state = open.state, completed = open.completed, result = open.result
    from open where sod_check.ctid = open.place
    returning 1
  ),
  told as (select ${NOTIFY} from done limit 1)
  select (select count(*) from done) as effective, (select count(*) from told) as told`;

async function complete({ pool, guardWrite, commits }: Deps, completions: readonly CheckCompletion[]): Promise<number> {
  if (completions.length === 0) return 0;
  const rowByClaim = new Map<string, ReturnType<typeof completionToRow>>();
  for (const completion of completions) {
    const claim = `${completion.tenant} ${completion.requestId} ${completion.fence}`;
    // Of several the first counts.
    if (!rowByClaim.has(claim)) rowByClaim.set(claim, completionToRow(completion));
  }
  const columns = ['tenant', 'request_id', 'fence', 'state', 'completed', 'result'] as const;
  const values = columnsOf([...rowByClaim.values()], columns);
  const { rows } = await guardWrite(() =>
    pool.query<{ effective: number }>({ name: 'complete', text: COMPLETE, values }),
  );
  const effective = rows[0]?.effective ?? 0;
  if (effective > 0) commits.tell();
  return effective;
}

// The event loop stands still while a batch is put together.
const BATCH_MAX = 1_000;

const COUNT_PENDING = `
  select (
    select count(*) from (
      select 1 from sod_check
      where sod_check.tenant = given.tenant and state = 'PENDING' and attempts = 0 limit $2::bigint
    ) unclaimed
  ) + (
    select count(*) from sod_check where sod_check.tenant = given.tenant and state = 'PENDING' and attempts > 0
  ) as pending
  from unnest($1::text[]) with ordinality as given (tenant, place) order by place`;

const ENQUEUE = `
  with stored as (
    insert into sod_check (tenant, request_id, created, state, attempts, fence, claimable_at_ms, identity_id, access_refs,
      client_metadata, completed, result)
    select tenant, request_id, created, 'PENDING', 0, 0, 0, identity_id, access_refs, client_metadata, null, null
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
      as given (tenant, request_id, created, identity_id, access_refs, client_metadata)
    returning 1
  )
  select ${NOTIFY} from stored limit 1`;

/** Calls of one turn of the event loop, and those that come while others are stored, share a statement and a commit. */
function createEnqueue({ pool, guardRead, guardWrite, guardPatiently, commits }: Deps): CheckQueue['enqueue'] {
  const judgeRoom = createBacklogRoom({
    countPending: async (tenants, countMax) => {
      const values = [tenants, countMax];
      const { rows } = await guardRead(() =>
        pool.query<{ pending: number }>({ name: 'count pending', text: COUNT_PENDING, values }),
      );
      return rows.map(({ pending }) => pending);
    },
    now: () => performance.now(),
  });

  const store = async (checks: readonly NewCheck[]) => {
    const columns = ['tenant', 'request_id', 'created', 'identity_id', 'access_refs', 'client_metadata'] as const;
    const values = columnsOf(checks.map(checkToRow), columns);
    const insert = { name: 'enqueue', text: ENQUEUE, values };
    const isUnknown = await guardWrite(async () => {
      // A connection that cannot be had is another matter than one that is lost under the statement.
      const client = await pool.connect();
      try {
        await client.query(insert);
        return false;
      } catch (error) {
        if (isConnectionLost(error)) return true;
        throw error;
      } finally {
        client.release();
      }
    });
    if (isUnknown) await guardPatiently(() => pool.query(insert).catch(ignoreStored)).catch(refuseUnknown);
    commits.tell();
  };

  const enqueue = gather(async (requests: readonly { readonly check: NewCheck; readonly backlogMax: number }[]) => {
    const outcomes = await judgeRoom(requests.map(({ check, backlogMax }) => ({ tenant: check.tenant, backlogMax })));
    const accepted = requests.filter((_, place) => outcomes[place] === 'stored');
    if (accepted.length > 0) await store(accepted.map(({ check }) => check));
    return outcomes;
  }, BATCH_MAX);
  return (check, backlogMax) => enqueue({ check, backlogMax });
}

/** Where the answer to an insert was lost, and they are there: nobody else has these ids, and all came at once. */
function ignoreStored(error: unknown): void {
  if (!isUniqueViolation(error)) throw error;
}

function refuseUnknown(cause: unknown): never {
  throw cause instanceof StorageUnavailable
    ? new OutcomeUnknown('Whether checks were stored cannot be known.', { cause })
    : cause;
}

/** For `unnest`: an array for each column. */
const columnsOf = <R>(rows: readonly R[], columns: readonly (keyof R)[]): unknown[] =>
  columns.map((column) => rows.map((row) => row[column]));
