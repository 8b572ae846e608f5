import {
  byAge,
  type CheckWrites,
  type ClaimedRow,
  type ClaimKey,
  type ClaimRequest,
  COMPLETED,
  type Completed,
  type CompletionRow,
} from '../check-writes.ts';
import { newEventId } from '../event-id.ts';
import { ATTEMPTS_LEFT_MIN, CLAIMED, GIVEN_BACK, latestClaimableAtMs, RELEASED } from '../lease.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteDatabase } from './database.ts';
import { createSqliteEnqueue } from './enqueue.ts';

/** Statements are prepared once, without the query builder. `+?` is for the reason that `dialect.ts` states. */
export function createSqliteCheckWrites(database: Pick<SqliteDatabase, 'writer' | 'write'>): CheckWrites {
  const { writer, write } = database;
  const claim = prepareClaim(writer);
  const complete = prepareComplete(writer);
  const release = writer.prepare<[number, string, string, number]>(`
    update sod_check set claimable_at_ms = ?, ${RELEASED}
    where tenant = ? and request_id = ? and fence = ? and state = 'PENDING'`);
  const renew = writer.prepare<[number, string, string, number]>(`
    update sod_check set claimable_at_ms = ?
    where tenant = ? and request_id = ? and fence = ? and state = 'PENDING'`);
  const giveBack = writer.prepare<ClaimKey>(`
    update sod_check set ${GIVEN_BACK}
    where tenant = @tenant and request_id = @request_id and fence = @fence and state = 'PENDING'`);
  const uncount = writer.prepare<ClaimKey>(`
    update sod_check set attempts = attempts - 1
    where tenant = @tenant and request_id = @request_id and fence > @fence and state = 'PENDING'
      and attempts > ${ATTEMPTS_LEFT_MIN}`);
  return {
    enqueue: createSqliteEnqueue(database),
    claim: (request) => write('shared', async () => claim(request)),
    complete: (completions) => write('shared', async () => complete(completions)),
    release: ({ tenant, request_id, fence }, availableAtMs) =>
      write('shared', async () => {
        release.run(availableAtMs, tenant, request_id, fence);
      }),
    renew: (claims, leaseEndMs) =>
      write('shared', async () =>
        claims.filter(({ tenant, request_id, fence }) => renew.run(leaseEndMs, tenant, request_id, fence).changes > 0),
      ),
    nextClaimableAtMs: null,
    giveBack: (claims) =>
      write('shared', async () => {
        for (const { tenant, request_id, fence } of claims) {
          const key = { tenant, request_id, fence };
          if (giveBack.run(key).changes === 0) uncount.run(key);
        }
      }),
  };
}

/** Numbers the events of each tenant at once. Parameters have places, not names, which cost as much as a small statement. */
function prepareComplete(writer: SqliteConnection): (completions: readonly CompletionRow[]) => Completed {
  const complete = writer.prepare<[string, string, string | null, string, string, number]>(`
    update sod_check set state = ?, completed = ?, result = ?
    where tenant = ? and request_id = ? and fence = ? and state = 'PENDING'`);
  const takeNumbers = writer
    .prepare<{ tenant: string; count: number }, number>(`
      insert into event_head (tenant, sequence, removed_to) values (@tenant, @count, 0)
      on conflict (tenant) do update set sequence = event_head.sequence + excluded.sequence returning sequence`)
    .pluck();
  // The events of a tenant by one statement, which costs less than one for each.
  const append = writer.prepare<[string, number, string]>(`
    insert into event (tenant, sequence, id, type, resource_id, time, data)
    select ?, ? + key, value ->> 0, '${COMPLETED}', value ->> 1, value ->> 2, value ->> 3
    from json_each(?)`);
  const isDone = ({ tenant, request_id, fence, state, completed, result }: CompletionRow) =>
    complete.run(state, completed, result, tenant, request_id, fence).changes > 0;
  return (completions) => {
    const done = completions.filter(isDone);
    for (const [tenant, own] of Map.groupBy(done, (completion) => completion.tenant)) {
      const first = (takeNumbers.get({ tenant, count: own.length }) ?? 0) - own.length + 1;
      const events = own.map(({ request_id, completed, event_data }) => [
        newEventId(),
        request_id,
        completed,
        event_data,
      ]);
      append.run(tenant, first, JSON.stringify(events));
    }
    // Its transactions follow one after the other.
    return { effective: done.length, lockedTenants: new Set() };
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
    { attemptsMax: number; nowMs: number; latestMs: number; limit: number; excluded: string },
    Candidate
  >(`
    select tenant, request_id, created from sod_check
    where state = 'PENDING' and attempts > 0 and attempts < +@attemptsMax
      and (claimable_at_ms <= +@nowMs or claimable_at_ms > +@latestMs)
      and tenant not in (select value from json_each(+@excluded))
    order by created limit +@limit`);
  // The checks of a tenant by one statement, which costs less than one for each.
  const take = writer.prepare<[number, string, string], ClaimedRow>(`
    update sod_check set claimable_at_ms = ?, ${CLAIMED}
    where tenant = +? and request_id in (select value from json_each(+?))
    returning tenant, request_id, created, identity_id, access_refs, client_metadata, includes, at_instant, origin,
      fence, attempts`);
  return (request) => {
    const { nowMs, leaseMs, limit, attemptsMax, attemptsMin = 0, tenantLimits = new Map() } = request;
    const latestMs = latestClaimableAtMs(nowMs, leaseMs);
    const excluded = JSON.stringify([...tenantLimits.keys()].filter((tenant) => tenantLimits.get(tenant) === 0));
    const again = attemptsMax > 1 ? claimedBefore.all({ attemptsMax, nowMs, latestMs, limit, excluded }) : [];
    const unclaimed = attemptsMin > 0 ? [] : findUnclaimed({ otherLimit: limit, ...request, excluded, tenantLimits });
    // Checks that were claimed before come first. Otherwise new checks could hold them up for ever.
    const candidates = [...again, ...unclaimed].slice(0, limit);
    return [...Map.groupBy(candidates, ({ tenant }) => tenant)].flatMap(([tenant, own]) =>
      take.all(nowMs + leaseMs, tenant, JSON.stringify(own.map(({ request_id }) => request_id))),
    );
  };
}

interface UnclaimedRequest extends Required<Pick<ClaimRequest, 'limit' | 'tenantLimits' | 'otherLimit'>> {
  /** JSON: array of tenants. */
  readonly excluded: string;
}

/** Takes the oldest checks of each tenant in turn, so that a backlog of one tenant does not hold up the others. */
function prepareFindUnclaimed(writer: SqliteConnection): (request: UnclaimedRequest) => readonly Candidate[] {
  // Steps from tenant to tenant through the index, so its cost does not depend on the number of checks.
  const waitingTenants = writer
    .prepare<[string, number], string>(`
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
      select tenant from waiting
      where tenant is not null and tenant not in (select value from json_each(+?)) order by (
        select created from sod_check
        where state = 'PENDING' and attempts = 0 and tenant = waiting.tenant order by created limit 1
      ) limit +?`)
    .pluck();
  const oldestOf = writer.prepare<[string, number], Candidate>(`
    select tenant, request_id, created from sod_check
    where state = 'PENDING' and attempts = 0 and tenant = +? order by created, request_id limit +?`);
  return ({ limit, excluded, tenantLimits, otherLimit }) => {
    const tenants = waitingTenants.all(excluded, limit);
    const share = Math.min(limit, 2 * Math.ceil(limit / tenants.length));
    const placesOf = (tenant: string) => Math.min(share, tenantLimits.get(tenant) ?? otherLimit);
    return tenants
      .flatMap((tenant) => oldestOf.all(tenant, placesOf(tenant)).map((candidate, turn) => ({ ...candidate, turn })))
      .sort((left, right) => left.turn - right.turn || byAge(left, right));
  };
}
