import {
  type AuditContext,
  exceptionStateAt,
  fail,
  isLive,
  type NewExceptionView,
  type NewSodException,
  type NotFound,
  type Result,
  type SeenException,
  type SodExceptionRecord,
} from '@access-admin/domain';
import type { Kysely } from 'kysely';
import type { Failed } from '../../engine/change.ts';
import { createOrderedRunner } from '../../engine/concurrency/ordered-runner.ts';
import type { Database, Reads } from '../../engine/database.ts';
import { changeScope } from '../../engine/scope.ts';
import { type Condition, compileFilter } from '../../query/filter.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { Page } from '../../query/page.ts';
import { countRows } from '../../query/total.ts';
import type { SodExceptionRow, Tables } from '../../schema/tables.ts';
import { changeException, type ExceptionChange, findException, NO_EXCEPTION } from './change.ts';
import { rowToDates, rowToException } from './codec.ts';
import { findUnstoredVoid } from './find-unstored.ts';
import { findVoid } from './find-void.ts';
import { readPresentPair } from './present-pair.ts';
import { createException } from './request.ts';
import { type ConflictScope, findSeenConflicts } from './seen-conflicts.ts';
import { seenAs, stateAt } from './state.ts';

/** A condition of a list: one of the values, or an end not before or not after the only value. */
export type ExceptionCondition =
  | Condition<'policyId' | 'identityId' | 'requesterId' | 'state', 'eq' | 'in'>
  | Condition<'end', 'ge' | 'le'>;

/** The conditions of a list, with the time at which states are evaluated. */
export interface ExceptionQuery {
  readonly conditions: readonly ExceptionCondition[];
  /** ISO 8601 in UTC with milliseconds. */
  readonly now: string;
}

/** The exceptions of each tenant. One that the present data make void is shown so, also before the worker has stored it. */
export interface ExceptionStore {
  /** The exceptions that meet all conditions, by id. */
  list(tenant: string, query: ExceptionQuery, page: Page): Promise<readonly SeenException[]>;
  count(tenant: string, query: ExceptionQuery): Promise<number>;
  /** With its terms at `now` (ISO 8601). */
  find(tenant: string, id: string, now: string): Promise<SeenException | null>;
  /**
   * Reads, decides and stores in one transaction; a failure changes nothing. The conflict is read before the transaction: if the
   * data change in between, the approval is void at once.
   */
  create<F>(
    auditContext: AuditContext,
    requested: NewSodException,
    decide: (view: NewExceptionView) => Result<SodExceptionRecord, F>,
  ): Promise<Result<SeenException, F>>;
  /**
   * Reads, decides and stores a change of an existing exception in one transaction, as `create` does for a new one. The `Conflict`
   * of a void one stores that it is void.
   */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: ExceptionChange<F, G>,
  ): Promise<Result<SeenException, F | G | NotFound>>;
}

/** `isMailed` stores mails to approvers and requesters. */
export function createExceptionStore(database: Database, isMailed = false): ExceptionStore {
  // Access and its bundles may have megabytes, so a tenant reads those of one request at a time.
  const runInOrder = createOrderedRunner();
  return {
    list: async (tenant, query, { limit, offset }) => {
      const voidIds = await findVoidOf(database, tenant, query);
      const rows = await database.read((db) =>
        matching(db, { tenant, query, voidIds }).selectAll().orderBy('id').limit(limit).offset(offset).execute(),
      );
      return seeAll(database, { tenant, now: query.now }, rows);
    },
    count: async (tenant, query) => {
      const voidIds = await findVoidOf(database, tenant, query);
      return database.read(async (db) => {
        const all = matching(db, { tenant, query, voidIds });
        return countRows(all);
      });
    },
    find: async (tenant, id, now) => {
      const found = await database.read((db) => findException(db, tenant, id));
      const [seen] = found === null ? [] : await seeAll(database, { tenant, now }, [found]);
      return seen ?? null;
    },
    create: (auditContext, requested, decide) =>
      runInOrder(auditContext.tenant, async () => {
        const present = await readPresentPair(database, auditContext, requested);
        return database.write(changeScope(auditContext), (trx) =>
          createException(trx, auditContext, { requested, present, isMailed, decide }),
        );
      }),
    change: (auditContext, id, change) =>
      runInOrder(auditContext.tenant, async () => {
        const row = await database.read((db) => findException(db, auditContext.tenant, id));
        if (row === null) return fail(NO_EXCEPTION);
        const present = await readPresentPair(database, auditContext, {
          policyId: row.policy_id,
          identityId: row.identity_id,
        });
        return database.write(changeScope(auditContext), (trx) =>
          changeException(trx, { auditContext, id, present, isMailed }, change),
        );
      }),
  };
}

/** Shows which live exceptions are void, and the terms of requested ones. */
async function seeAll(
  reads: Reads,
  scope: ConflictScope,
  rows: readonly SodExceptionRow[],
): Promise<readonly SeenException[]> {
  const { tenant, now } = scope;
  const live = rows.filter((row) => isLive(rowToDates(row), now));
  const voidIds = await findVoid(reads, tenant, live);
  const exceptions = rows.map((row) => seenAs(rowToException(row), voidIds, now));
  const requested = exceptions.filter((exception) => exceptionStateAt(exception, now) === 'REQUESTED');
  const conflicts = await findSeenConflicts(reads, scope, requested);
  return exceptions.map((exception) => ({ exception, presentTerms: conflicts.get(exception)?.terms ?? null }));
}

/** The exceptions that a list by state has to show as void. */
const findVoidOf = async (
  database: Database,
  tenant: string,
  { conditions, now }: ExceptionQuery,
): Promise<ReadonlySet<string>> =>
  conditions.some(({ field }) => field === 'state') ? findUnstoredVoid(database, { tenant, now }) : new Set();

interface Matching {
  readonly tenant: string;
  readonly query: ExceptionQuery;
  readonly voidIds: ReadonlySet<string>;
}

const matching = (db: Kysely<Tables>, { tenant, query: { conditions, now }, voidIds }: Matching) =>
  db
    .selectFrom('sod_exception')
    .where('tenant', '=', tenant)
    .where(
      compileFilter(
        {
          policyId: 'policy_id',
          identityId: 'identity_id',
          requesterId: 'requester_id',
          end: 'ends',
          state: stateAt(now, isOneOf(db, 'id', [...voidIds])),
        },
        conditions,
      ),
    );
