import { byAge, type CheckWrites, type ClaimedRow, type ClaimRequest, type CompletionRow } from '../check-writes.ts';
import { CLAIMED, latestClaimableAtMs, RELEASED } from '../lease.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteDatabase } from './database.ts';
import { createSqliteEnqueue } from './enqueue.ts';

/** Statements are prepared once, without the query builder. */
export function createSqliteCheckWrites(database: Pick<SqliteDatabase, 'writer' | 'write'>): CheckWrites {
  const { writer, write } = database;
  const claim = prepareClaim(writer);
  const complete = writer.prepare<CompletionRow>(`
    update sod_check set state = @state, completed = @completed, result = @result
    where tenant = @tenant and request_id = @request_id and fence = @fence and state = 'PENDING'`);
  const release = writer.prepare<[number, string, string, number]>(`
    update sod_check set claimable_at_ms = ?, ${RELEASED}
    where tenant = ? and request_id = ? and fence = ? and state = 'PENDING'`);
  return {
    enqueue: createSqliteEnqueue(database),
    claim: (request) => write('shared', async () => claim(request)),
    complete: (completions) =>
      write('shared', async () => completions.reduce((sum, completion) => sum + complete.run(completion).changes, 0)),
    release: ({ tenant, request_id, fence }, availableAtMs) =>
      write('shared', async () => {
        release.run(availableAtMs, tenant, request_id, fence);
      }),
  };
}

interface Candidate {
  readonly tenant: string;
  readonly request_id: string;
  readonly created: string;
}

function prepareClaim(writer: SqliteConnection): (request: ClaimRequest) => ClaimedRow[] {
  const findUnclaimed = prepareFindUnclaimed(writer);
  const claimedBefore = writer.prepare<
    { attemptsMax: number; nowMs: number; latestMs: number; limit: number },
    Candidate
  >(`
    select tenant, request_id, created from sod_check
    where state = 'PENDING' and attempts > 0 and attempts < @attemptsMax
      and (claimable_at_ms <= @nowMs or claimable_at_ms > @latestMs)
    order by created limit @limit`);
  const take = writer.prepare<[number, string, string], ClaimedRow>(`
    update sod_check set claimable_at_ms = ?, ${CLAIMED}
    where tenant = ? and request_id = ?
    returning tenant, request_id, created, identity_id, access_refs, client_metadata, includes, at_instant, fence,
      attempts`);
  return ({ nowMs, leaseMs, limit, attemptsMax }) => {
    const latestMs = latestClaimableAtMs(nowMs, leaseMs);
    const again = attemptsMax > 1 ? claimedBefore.all({ attemptsMax, nowMs, latestMs, limit }) : [];
    // Checks that were claimed before come first. Otherwise new checks could hold them up for ever.
    const candidates = [...again, ...findUnclaimed(limit)].slice(0, limit);
    return candidates.flatMap(({ tenant, request_id }) => take.all(nowMs + leaseMs, tenant, request_id));
  };
}

/** Takes the oldest checks of each tenant in turn, so that a backlog of one tenant does not hold up the others. */
function prepareFindUnclaimed(writer: SqliteConnection): (limit: number) => readonly Candidate[] {
  // Steps from tenant to tenant through the index, so its cost does not depend on the number of checks.
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
