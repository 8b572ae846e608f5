import { concludeWithError, type IdentityWithNewAccess } from '@access-admin/domain';
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { byAge, type CheckWrites, type ClaimKey, type ClaimRequest, type Completed } from '../engine/check-writes.ts';
import type { Database } from '../engine/database.ts';
import { isClaimable, LEASE_MS_MAX } from '../engine/lease.ts';
import { columnToCheckState } from '../events/codec.ts';
import { type Backlog, sumOfBacklogs, toBacklog } from '../query/backlog.ts';
import type { Position } from '../query/order.ts';
import type { Tables } from '../schema/tables.ts';
import {
  type CheckCompletion,
  type ClaimedCheck,
  type NewCheck,
  SMALL_RESULT_BYTES,
  type StoredCheck,
} from './check.ts';
import { checkToRow, completionToRow, parseMetadata, rowToClaimedCheck, rowToQuestion } from './codec.ts';
import { type CheckCondition, type CheckPage, countChecks, type ListedCheck, listChecks } from './list.ts';

/** A claim of a check, whose fence only the latest claim has. */
export type CheckClaim = Pick<ClaimedCheck, 'tenant' | 'requestId' | 'fence'>;

/** The queue of checks. One row is both the queue entry and the result. */
export interface CheckQueue {
  /** Resolves once the check is durably stored; calls of one event-loop turn share a commit. A check whose id exists is not changed. `backlogFull` when the tenant has `backlogMax` pending checks. */
  enqueue(check: NewCheck, backlogMax: number): Promise<'stored' | 'backlogFull'>;
  /** A check, with its result unless that is large: then `readResult` reads it. */
  find(tenant: string, requestId: string): Promise<StoredCheck | null>;
  /** The result of a check as JSON text; null while there is none. A result never changes. */
  readResult(tenant: string, requestId: string): Promise<string | null>;
  /** The request of a check; null for an unknown check. */
  findRequest(tenant: string, requestId: string): Promise<IdentityWithNewAccess | null>;
  /** Checks without their results, the newest first, in bounded time for a page without an offset; `next` is null at the end. */
  list(
    tenant: string,
    conditions: readonly CheckCondition[],
    page: CheckPage,
  ): Promise<{ readonly checks: readonly ListedCheck[]; readonly next: Position | null }>;
  /** How many checks meet the conditions. */
  count(tenant: string, conditions: readonly CheckCondition[]): Promise<number>;
  /** Claims up to `limit` pending checks with fewer than `attemptsMax` attempts: first those whose lease has ended, then new ones, the oldest of each tenant in turn. */
  claim(request: ClaimRequest): Promise<readonly ClaimedCheck[]>;
  /** Extends the leases of claims. Returns those that are still the latest of their check. */
  renew<C extends CheckClaim>(claims: readonly C[], leaseEndMs: number): Promise<readonly C[]>;
  /** Undoes claims: the checks keep their place, and no attempt counts. Of a claim that is not the latest any more, the attempt alone is taken back. */
  giveBack(claims: readonly CheckClaim[]): Promise<void>;
  /** Stores results in one transaction. A completion has no effect when its fence is not the latest or the check is done. Tenants whose events another transaction is numbering are left out, so that a long one delays no other tenant. */
  complete(completions: readonly CheckCompletion[]): Promise<Completed>;
  /** Releases a claimed check after a failure. It can be claimed again from `availableAtMs` on. */
  release(claim: CheckClaim, availableAtMs: number): Promise<void>;
  /** Ends the pending checks whose last permitted claim has run out, in the state `ERROR`. Returns how many. */
  failExhausted(request: {
    readonly nowMs: number;
    readonly attemptsMax: number;
    readonly completed: string;
    readonly message: string;
  }): Promise<number>;
  /** When the next pending check can be claimed (0: now), in ms since 1970; null when none is pending. */
  nextClaimableAtMs(): Promise<number | null>;
  /** The pending checks, for metrics. */
  measureBacklog(): Promise<Backlog>;
}

const NONE_COMPLETED: Completed = { effective: 0, lockedTenants: new Set() };

// Literals, because the partial indexes do not match parameters.
const PENDING = sql.lit('PENDING');
const ZERO = sql.lit(0);
const RESULT_BYTES = sql<number | null>`octet_length(result)`;
const SMALL_RESULT = sql<
  string | null
>`case when octet_length(result) <= ${sql.lit(SMALL_RESULT_BYTES)} then result end`;

export function createCheckQueue(database: Database, writes: CheckWrites): CheckQueue {
  return {
    enqueue: (check, backlogMax) => writes.enqueue({ row: checkToRow(check), backlogMax }),
    claim: async (request) => (await writes.claim(request)).toSorted(byAge).map(rowToClaimedCheck),
    complete: async (completions) =>
      completions.length === 0 ? NONE_COMPLETED : writes.complete(completions.map(completionToRow)),
    release: (claim, availableAtMs) => writes.release(keyOf(claim), availableAtMs),
    renew: async (claims, leaseEndMs) => {
      if (claims.length === 0) return [];
      const held = new Set(Array.from(await writes.renew(claims.map(keyOf), leaseEndMs), nameOf));
      return claims.filter((claim) => held.has(nameOf(keyOf(claim))));
    },
    giveBack: async (claims) => {
      if (claims.length > 0) await writes.giveBack(claims.map(keyOf));
    },
    find: async (tenant, requestId) => {
      const row = await database.read((db) =>
        oneCheck(db, tenant, requestId)
          .select(['created', 'state', 'completed', RESULT_BYTES.as('resultBytes'), SMALL_RESULT.as('result')])
          .executeTakeFirst(),
      );
      if (row === undefined) return null;
      return {
        requestId,
        created: row.created,
        state: columnToCheckState(row.state),
        completed: row.completed,
        resultBytes: row.resultBytes ?? 0,
        result: row.result,
      };
    },
    readResult: async (tenant, requestId) => {
      const row = await database.read((db) => oneCheck(db, tenant, requestId).select('result').executeTakeFirst());
      return row?.result ?? null;
    },
    findRequest: async (tenant, requestId) => {
      const row = await database.read((db) =>
        oneCheck(db, tenant, requestId)
          .select(['identity_id', 'access_refs', 'client_metadata', 'at_instant'])
          .executeTakeFirst(),
      );
      return row === undefined ? null : rowToQuestion(row);
    },
    list: (tenant, conditions, page) => listChecks(database, tenant, conditions, page),
    count: (tenant, conditions) => countChecks(database, tenant, conditions),
    failExhausted: (request) => failExhausted(database, writes, request),
    nextClaimableAtMs: writes.nextClaimableAtMs ?? createNextClaimable(database),
    measureBacklog: async () =>
      sumOfBacklogs([await measurePending(database, '='), await measurePending(database, '>')]),
  };
}

const oneCheck = (db: Kysely<Tables>, tenant: string, requestId: string) =>
  db.selectFrom('sod_check').where('tenant', '=', tenant).where('request_id', '=', requestId);

const keyOf = ({ tenant, requestId, fence }: CheckClaim): ClaimKey => ({ tenant, request_id: requestId, fence });

const nameOf = ({ tenant, request_id }: Pick<ClaimKey, 'tenant' | 'request_id'>): string => `${tenant} ${request_id}`;

/** Pending checks that were never claimed (`=`) and those that were (`>`) have an index each. */
const pendingChecks = (db: Kysely<Tables>, attempts: '=' | '>') =>
  db.selectFrom('sod_check').where('state', '=', PENDING).where('attempts', attempts, ZERO);

const measurePending = async (database: Database, attempts: '=' | '>'): Promise<Backlog> =>
  toBacklog(
    await database.read((db) =>
      pendingChecks(db, attempts)
        .select((eb) => [eb.fn.countAll<number>().as('depth'), eb.fn.min<string | null>('created').as('oldest')])
        .executeTakeFirstOrThrow(),
    ),
  );

async function failExhausted(
  database: Database,
  { complete }: Pick<CheckWrites, 'complete'>,
  { nowMs, attemptsMax, completed, message }: Parameters<CheckQueue['failExhausted']>[0],
): Promise<number> {
  const reading = database.read((db) =>
    pendingChecks(db, '>')
      .select(['tenant', 'request_id', 'client_metadata', 'fence'])
      .where('attempts', '>=', attemptsMax)
      .where(isClaimable(nowMs, LEASE_MS_MAX))
      .execute(),
  );
  // While a node is away, they wait for it.
  const rows = await (database.changedTenants?.unlessAway(reading) ?? reading);
  const completions = (rows ?? []).map(({ tenant, request_id, client_metadata, fence }) => {
    const { state, result } = concludeWithError({ clientMetadata: parseMetadata(client_metadata) }, message);
    return { tenant, request_id, fence, completed, event_data: null, state, result };
  });
  // A worker or another process may have completed them meanwhile or raised the fence. Then these have no effect.
  return completions.length === 0 ? 0 : (await complete(completions)).effective;
}

/** Workers ask so often that the first query, which answers while checks wait, is built once. */
function createNextClaimable(database: Database): CheckQueue['nextClaimableAtMs'] {
  let unclaimed: CompiledQuery<Pick<Tables['sod_check'], 'request_id'>> | null = null;
  return async () => {
    const { rows } = await database.read((db) => {
      unclaimed ??= pendingChecks(db, '=').select('request_id').limit(1).compile();
      return db.executeQuery(unclaimed);
    });
    if (rows.length > 0) return 0;
    const claimed = await database.read((db) =>
      pendingChecks(db, '>').select('claimable_at_ms').orderBy('claimable_at_ms').limit(1).executeTakeFirst(),
    );
    return claimed?.claimable_at_ms ?? null;
  };
}
