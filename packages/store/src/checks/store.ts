import { compareTexts, type IdentityWithNewAccess } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { type Backlog, type BacklogRow, toBacklog } from '../query/backlog.ts';
import type { Position } from '../query/order.ts';
import { type ClaimRequest, createLeasedQueue, type Release } from '../queue/queue.ts';
import { columnToCheckState } from '../record/events/codec.ts';
import type { SodCheckRow, Tables } from '../schema/tables.ts';
import {
  type CheckCompletion,
  type ClaimedCheck,
  type NewCheck,
  SMALL_RESULT_BYTES,
  type StoredCheck,
} from './check.ts';
import { rowToClaimedCheck, rowToQuestion } from './codec.ts';
import { completeChecks } from './complete.ts';
import { createEnqueue, type Enqueued } from './enqueue.ts';
import { LEASED_CHECKS } from './leased-checks.ts';
import { type CheckCondition, type CheckPage, countChecks, type ListedCheck, listChecks } from './list.ts';
import { removeExpired } from './removal.ts';

/** A claim of a check, whose fence only the latest claim has. */
export type CheckClaim = Pick<ClaimedCheck, 'tenant' | 'requestId' | 'fence'>;

/** The checks of all tenants. One row is both the queue entry and the result. */
export interface CheckQueue {
  /**
   * Resolves once the check is durably stored, or its tenant is being removed; calls of one event-loop turn share a commit. A check
   * whose id exists is not changed. `backlogFull` when the tenant has `backlogMax` pending checks.
   */
  enqueue(check: NewCheck, backlogMax: number): Promise<Enqueued>;
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
  /** Claims pending checks, as `LeasedQueue` says; the oldest of a tenant first. */
  claim(request: ClaimRequest): Promise<readonly ClaimedCheck[]>;
  /** Extends the leases of claims. Returns those that are still the latest of their check. */
  renew<C extends CheckClaim>(claims: readonly C[], leaseEndMs: number): Promise<readonly C[]>;
  /** Gives claims back before their leases end. */
  release(claims: readonly CheckClaim[], release: Release): Promise<void>;
  /** Stores results, those of a tenant in one transaction. A completion has no effect when its fence is not the latest or the check is done. Returns how many had one. */
  complete(completions: readonly CheckCompletion[]): Promise<number>;
  /** Removes some checks that were completed before this time (ISO 8601), of whichever tenant; true when there may be more. */
  removeExpired(before: string): Promise<boolean>;
  /** The pending checks, for metrics. */
  measureBacklog(): Promise<Backlog>;
}

const RESULT_BYTES = sql<number | null>`octet_length(result)`;
const SMALL_RESULT = sql<
  string | null
>`case when octet_length(result) <= ${sql.lit(SMALL_RESULT_BYTES)} then result end`;

export function createCheckQueue(database: Database): CheckQueue {
  const queue = createLeasedQueue(database, LEASED_CHECKS);
  return {
    enqueue: createEnqueue(database),
    claim: async (request) => (await queue.claim(request)).toSorted(byAge).map(rowToClaimedCheck),
    renew: async (claims, leaseEndMs) => {
      const held = await queue.renew(
        claims.map((claim) => ({ ...keyOf(claim), claim })),
        leaseEndMs,
      );
      return held.map(({ claim }) => claim);
    },
    release: (claims, release) => queue.release(claims.map(keyOf), release),
    complete: (completions) => completeChecks(database, completions),
    removeExpired: (before) => removeExpired(database, before),
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
    measureBacklog: async () => {
      const { rows } = await database.read((db) =>
        sql<BacklogRow>`
          select count(*) as depth, min(created) as oldest from sod_check where state = 'PENDING'`.execute(db),
      );
      return toBacklog(rows[0] ?? { depth: 0, oldest: null });
    },
  };
}

const oneCheck = (db: Kysely<Tables>, tenant: string, requestId: string) =>
  db.selectFrom('sod_check').where('tenant', '=', tenant).where('request_id', '=', requestId);

const keyOf = ({ tenant, requestId, fence }: CheckClaim) => ({ tenant, id: requestId, fence });

const byAge = (one: SodCheckRow, other: SodCheckRow): number =>
  compareTexts(one.created, other.created) || compareTexts(one.request_id, other.request_id);
