import type { CheckCompletion } from '../../checks/check.ts';
import { byAge, type ClaimedRow, columnsOf, completionToRow, rowToClaimedCheck } from '../../checks/codec.ts';
import type { CheckWrites } from '../../checks/queue.ts';
import { RETRY_DELAY_MS_MAX } from '../lease.ts';
import type { PostgresDatabase } from './database.ts';
import { createPostgresEnqueue, NOTIFY } from './enqueue.ts';

type Deps = Pick<PostgresDatabase, 'pool' | 'guardRead' | 'guardWrite' | 'guardPatiently' | 'noticeLost' | 'commits'>;

/** Each is one statement, which commits by itself. */
export function createPostgresCheckWrites(deps: Deps): CheckWrites {
  const { pool, guardWrite } = deps;
  return {
    enqueue: createPostgresEnqueue(deps),
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

/**
 * The oldest of each tenant that waits, tenant by tenant in turn, so that the backlog of one does not hold up the others; and
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
    select place, created, row_number() over (partition by served.tenant order by created) as turn
    from served cross join lateral (
      select ctid as place, created from sod_check
      where state = 'PENDING' and attempts = 0 and tenant = served.tenant order by created, request_id
      limit (select least($4::integer, 2 * ceil($4::numeric / count(*)))::integer from served)
      for update skip locked
    ) oldest
  ),
  claimed_before as (
    select ctid as place, created, 0 as turn from sod_check
    where $5::integer > 1 and state = 'PENDING' and attempts > 0 and attempts < $5::integer
      and (claimable_at_ms <= $1::bigint or claimable_at_ms > $3::bigint)
    order by created limit $4::integer for update skip locked
  ),
  chosen as (
    select * from (select * from unclaimed union all select * from claimed_before) both_kinds
    order by turn, created limit $4::integer
  )
  update sod_check set claimable_at_ms = $2::bigint, attempts = attempts + 1, fence = fence + 1
  from chosen where sod_check.ctid = chosen.place
  returning tenant, request_id, sod_check.created, identity_id, access_refs, client_metadata, includes, at_moment,
    fence, attempts`;

// The fence moves too: who gave the check back cannot complete it any more.
const RELEASE = `
  update sod_check set claimable_at_ms = $1, fence = fence + 1
  where tenant = $2 and request_id = $3 and fence = $4 and state = 'PENDING'`;

// Row by row through the key, whatever the planner thinks of the sizes: that is what the offset is for, and the difference of
// the fences, which no join can be made of.
const COMPLETE = `
  with open as (
    select pending.place, row.fence, row.state, row.completed, row.result
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
    from open
    where sod_check.ctid = open.place and sod_check.fence - open.fence = 0 and sod_check.state = 'PENDING'
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
