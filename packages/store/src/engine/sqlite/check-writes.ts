import { byAge, type ClaimedRow, completionToRow, rowToClaimedCheck } from '../../checks/codec.ts';
import type { CheckQueue, CheckWrites } from '../../checks/queue.ts';
import { RETRY_DELAY_MS_MAX } from '../lease.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteDatabase } from './database.ts';
import { createSqliteEnqueue } from './enqueue.ts';

type ClaimRequest = Parameters<CheckQueue['claim']>[0];

/** Prepared once, without the query builder: every check passes through here. */
export function createSqliteCheckWrites(database: Pick<SqliteDatabase, 'writer' | 'write'>): CheckWrites {
  const { writer, write } = database;
  const claim = prepareClaim(writer);
  const complete = writer.prepare<ReturnType<typeof completionToRow>>(`
    update sod_check set state = @state, completed = @completed, result = @result
    where tenant = @tenant and request_id = @request_id and fence = @fence and state = 'PENDING'`);
  // The fence moves too: who gave the check back cannot complete it any more.
  const release = writer.prepare<[number, string, string, number]>(`
    update sod_check set claimable_at_ms = ?, fence = fence + 1
    where tenant = ? and request_id = ? and fence = ? and state = 'PENDING'`);
  return {
    enqueue: createSqliteEnqueue(database),
    claim: (request) => write('shared', async () => claim(request)),
    complete: (completions) =>
      write('shared', async () =>
        completions.reduce((sum, completion) => sum + complete.run(completionToRow(completion)).changes, 0),
      ),
    release: ({ tenant, requestId, fence }, availableAtMs) =>
      write('shared', async () => {
        release.run(availableAtMs, tenant, requestId, fence);
      }),
  };
}

interface Candidate {
  readonly tenant: string;
  readonly request_id: string;
  readonly created: string;
}

function prepareClaim(writer: SqliteConnection): (request: ClaimRequest) => ReturnType<typeof rowToClaimedCheck>[] {
  const findUnclaimed = prepareFindUnclaimed(writer);
  const claimedBefore = writer.prepare<
    { attemptsMax: number; nowMs: number; farOffMs: number; limit: number },
    Candidate
  >(`
    select tenant, request_id, created from sod_check
    where state = 'PENDING' and attempts > 0 and attempts < @attemptsMax
      and (claimable_at_ms <= @nowMs or claimable_at_ms > @farOffMs)
    order by created limit @limit`);
  const take = writer.prepare<[number, string, string], ClaimedRow>(`
    update sod_check set claimable_at_ms = ?, attempts = attempts + 1, fence = fence + 1
    where tenant = ? and request_id = ?
    returning tenant, request_id, created, identity_id, access_refs, client_metadata, includes, at_moment, fence,
      attempts`);
  return ({ nowMs, leaseMs, limit, attemptsMax }) => {
    const farOffMs = nowMs + leaseMs + RETRY_DELAY_MS_MAX;
    const again = attemptsMax > 1 ? claimedBefore.all({ attemptsMax, nowMs, farOffMs, limit }) : [];
    // Those that were claimed before come first: they would wait as long as new ones come.
    const candidates = [...again, ...findUnclaimed(limit)].slice(0, limit);
    return candidates
      .flatMap(({ tenant, request_id }) => take.all(nowMs + leaseMs, tenant, request_id))
      .map(rowToClaimedCheck)
      .sort(byAge);
  };
}

/** The oldest of each tenant that waits, tenant by tenant in turn, so that the backlog of one does not hold up the others. */
function prepareFindUnclaimed(writer: SqliteConnection): (limit: number) => readonly Candidate[] {
  // From one tenant to the next through the index: the number of checks does not matter.
  const waitingTenants = writer
    .prepare<[number], string>(`
      with recursive waiting(tenant) as (
        select * from (
          select tenant from sod_check where state = 'PENDING' and attempts = 0 order by tenant limit 1
        )
        union all
        select (
          select tenant from sod_check
          where state = 'PENDING' and attempts = 0 and tenant > waiting.tenant order by tenant limit 1
        )
        from waiting where waiting.tenant is not null
      )
      select tenant from waiting where tenant is not null order by (
        select created from sod_check
        where state = 'PENDING' and attempts = 0 and tenant = waiting.tenant order by created limit 1
      ) limit ?`)
    .pluck();
  const oldestOf = writer.prepare<[string, number], Candidate>(`
    select tenant, request_id, created from sod_check
    where state = 'PENDING' and attempts = 0 and tenant = ? order by created, request_id limit ?`);
  return (limit) => {
    const tenants = waitingTenants.all(limit);
    const share = Math.min(limit, 2 * Math.ceil(limit / tenants.length));
    return tenants
      .flatMap((tenant) => oldestOf.all(tenant, share).map((candidate, turn) => ({ ...candidate, turn })))
      .sort((left, right) => left.turn - right.turn || byAge(left, right));
  };
}
