import {
  type ApprovalView,
  type AuditContext,
  type DecisionMaker,
  type EventType,
  exceptionStateAt,
  fail,
  failure,
  type NewExceptionView,
  type NewSodException,
  type NotFound,
  newEvent,
  ok,
  type Result,
  type SeenException,
  type SodExceptionRecord,
  type SodExceptionState,
  showSodException,
} from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { parseCapabilities } from '../access-model/records/identity-codec.ts';
import { recordChange } from '../audit/append-event.ts';
import { createOrderedRunner } from '../concurrency/ordered-runner.ts';
import { type Failed, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database, Reads } from '../engine/database.ts';
import { appendEvents } from '../events/append-events.ts';
import { type Condition, compileFilter } from '../query/filter.ts';
import type { Page } from '../query/page.ts';
import type { Tables } from '../schema/tables.ts';
import { markRegisterBehind } from '../tenants/versions.ts';
import { readTies } from '../ties/read.ts';
import { findConflictOf, findConflictOfException, findException, type PairConflict } from './approval.ts';
import { exceptionToRow, rowToException } from './codec.ts';
import { STORED } from './held-conflicts.ts';
import { writePrepared } from './prepare.ts';
import { raiseRevisions } from './revisions.ts';
import { findSeenConflicts } from './seen-conflicts.ts';

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

/** The data that a change of an exception is decided on. */
export interface ExceptionView extends ApprovalView {
  readonly exception: SodExceptionRecord;
}

/** How an exception is changed. Both functions see the stored state, inside the transaction of the change. */
export interface ExceptionChange<F extends Failed, G extends Failed> {
  /** Whether the caller knows the current state (`If-Match`); every state if left out. */
  readonly precondition?: (seen: SeenException) => Result<unknown, G>;
  readonly decide: (view: ExceptionView) => Result<SodExceptionRecord, F>;
}

/** The exceptions of each tenant. Changes of the access model make them void within the transaction of the change. */
export interface ExceptionStore {
  /** The exceptions that meet all conditions, by id. */
  list(tenant: string, query: ExceptionQuery, page: Page): Promise<readonly SeenException[]>;
  count(tenant: string, query: ExceptionQuery): Promise<number>;
  /** With its terms at `now` (ISO 8601). */
  find(tenant: string, id: string, now: string): Promise<SeenException | null>;
  /**
   * Reads, decides and stores in one transaction; a failure changes nothing. What the decision needs of the access model is
   * found out before the transaction.
   */
  create<F>(
    auditContext: AuditContext,
    requested: NewSodException,
    decide: (view: NewExceptionView) => Result<SodExceptionRecord, F>,
  ): Promise<Result<SeenException, F>>;
  /** Reads, decides and stores a change of an existing exception in one transaction, as `create` does for a new one. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: ExceptionChange<F, G>,
  ): Promise<Result<SeenException, F | G | NotFound>>;
}

export function createExceptionStore(database: Database): ExceptionStore {
  // A preparation may hold megabytes, so a tenant has one at a time.
  const runInOrder = createOrderedRunner();
  return {
    list: async (tenant, query, { limit, offset }) => {
      const found = await database.read(async (db) => {
        const rows = matching(db, tenant, query).selectAll().orderBy('id').limit(limit).offset(offset);
        return (await rows.execute()).map(rowToException);
      });
      return seeAll(database, { tenant, now: query.now }, found);
    },
    count: (tenant, query) =>
      database.read(async (db) => {
        const counted = matching(db, tenant, query).select((eb) => eb.fn.countAll<number>().as('count'));
        return (await counted.executeTakeFirstOrThrow()).count;
      }),
    find: async (tenant, id, now) => {
      const found = await database.read((db) => findException(db, tenant, id));
      const [seen] = found === null ? [] : await seeAll(database, { tenant, now }, [found]);
      return seen ?? null;
    },
    create: (auditContext, requested, decide) =>
      database.hold((held) =>
        runInOrder(auditContext.tenant, () =>
          writePrepared(
            held,
            { auditContext, find: findConflictOf(auditContext, requested) },
            async (trx, { conflict }) => createException(trx, auditContext, { requested, conflict, decide }),
          ),
        ),
      ),
    change: (auditContext, id, change) =>
      database.hold((held) =>
        runInOrder(auditContext.tenant, () =>
          writePrepared(held, { auditContext, find: findConflictOfException(auditContext, id) }, (trx, { conflict }) =>
            changeIn(trx, { auditContext, id, conflict }, change),
          ),
        ),
      ),
  };
}

/** Adds the terms of requested exceptions. */
async function seeAll(
  reads: Reads,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  exceptions: readonly SodExceptionRecord[],
): Promise<readonly SeenException[]> {
  const requested = exceptions.filter((exception) => exceptionStateAt(exception, now) === 'REQUESTED');
  const conflicts = await findSeenConflicts(reads, { tenant, now, overlay: STORED }, requested);
  return exceptions.map((exception) => ({ exception, presentTerms: conflicts.get(exception)?.terms ?? null }));
}

/** A requested exception, and the decision on it. */
export interface ExceptionRequest<F> extends Pick<NewExceptionView, 'conflict'> {
  readonly requested: NewSodException;
  readonly decide: (view: NewExceptionView) => Result<SodExceptionRecord, F>;
}

/** Reads, decides and stores a requested exception within a transaction; a failure changes nothing. */
export async function createException<F>(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { requested, conflict, decide }: ExceptionRequest<F>,
): Promise<Result<SeenException, F>> {
  const decision = decide({ ...(await readNewView(trx, auditContext.tenant, requested)), conflict });
  if (!decision.ok) return decision;
  const exception = decision.value;
  await endExpired(trx, auditContext, exception);
  await trx.insertInto('sod_exception').values(exceptionToRow(auditContext.tenant, exception)).execute();
  // Its end is told.
  await markRegisterBehind(trx, auditContext.tenant);
  const seen = { exception, presentTerms: conflict?.terms ?? null };
  await record(trx, auditContext, { before: null, after: seen });
  return ok(seen);
}

interface PreparedChange extends PairConflict {
  readonly auditContext: AuditContext;
  readonly id: string;
}

async function changeIn<F extends Failed, G extends Failed>(
  trx: Transaction<Tables>,
  { auditContext, id, conflict }: PreparedChange,
  { precondition = unconditional, decide }: ExceptionChange<F, G>,
): Promise<Result<SeenException, F | G | NotFound>> {
  const { tenant, time: now, actor } = auditContext;
  const before = await findException(trx, tenant, id);
  if (before === null) return fail(NO_EXCEPTION);
  const { capabilities, displayName } = await readDecisionMaker(trx, auditContext);
  const persons = [actor.identityId ?? '', before.requesterId, before.identityId];
  const ties = await readTies(trx, { tenant, now }, persons);
  const presentTerms = conflict?.terms ?? null;
  const decision = underPrecondition(
    precondition({ exception: before, presentTerms }),
    decide({ exception: before, capabilities, displayName, conflict, ties }),
  );
  if (!decision.ok) return decision;
  const exception = decision.value;
  const { tenant: _, id: __, ...columns } = exceptionToRow(tenant, exception);
  await trx.updateTable('sod_exception').set(columns).where('tenant', '=', tenant).where('id', '=', id).execute();
  if (isInForce(before) !== isInForce(exception)) await raiseRevisions(trx, tenant, [exception.identityId]);
  const seen = { exception, presentTerms };
  await record(trx, auditContext, { before, after: seen });
  return ok(seen);
}

/** Ends the expired exceptions of a pair for good: with a clock that goes back, they would be in force beside the new one. */
async function endExpired(
  trx: Transaction<Tables>,
  { tenant, time }: AuditContext,
  { policyId, identityId }: NewSodException,
): Promise<void> {
  const ended = await trx
    .updateTable('sod_exception')
    .set({ voided: time })
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .where('policy_id', '=', policyId)
    .where('revoked', 'is', null)
    .where('voided', 'is', null)
    .where('ends', '<=', time)
    .returning('approved')
    .execute();
  if (ended.some(({ approved }) => approved !== null)) await raiseRevisions(trx, tenant, [identityId]);
}

const isInForce = ({ approved, revoked }: SodExceptionRecord) => approved !== null && revoked === null;

const NO_EXCEPTION: NotFound = failure('NotFound', '', 'There is no such SOD exception.');

async function readNewView(
  trx: Transaction<Tables>,
  tenant: string,
  { policyId, identityId }: NewSodException,
): Promise<Omit<NewExceptionView, 'conflict'>> {
  const has = async (table: 'sod_policy' | 'identity', id: string) => {
    const found = await trx.selectFrom(table).select('id').where('tenant', '=', tenant).where('id', '=', id).execute();
    return found.length > 0;
  };
  const others = await trx
    .selectFrom('sod_exception')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .where('policy_id', '=', policyId)
    .where('revoked', 'is', null)
    .where('voided', 'is', null)
    .execute();
  return {
    policyExists: await has('sod_policy', policyId),
    identityExists: await has('identity', identityId),
    others: others.map(rowToException),
  };
}

/** Reads the caller again, because its capabilities may have changed since the request was authorized. */
async function readDecisionMaker(trx: Transaction<Tables>, { tenant, actor }: AuditContext): Promise<DecisionMaker> {
  const caller = await trx
    .selectFrom('identity')
    .select(['capabilities', 'display_name'])
    .where('tenant', '=', tenant)
    .where('id', '=', actor.identityId ?? '')
    .executeTakeFirst();
  return caller === undefined
    ? { capabilities: [], displayName: null }
    : { capabilities: parseCapabilities(caller.capabilities), displayName: caller.display_name };
}

interface RecordedChange {
  readonly before: SodExceptionRecord | null;
  readonly after: SeenException;
}

/** Records and tells of the exception with its states before and after, at the time of the request. */
async function record(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { before, after }: RecordedChange,
): Promise<void> {
  const { tenant, time } = auditContext;
  const shown = showSodException(after.exception, time, after.presentTerms);
  await recordChange(trx, {
    auditContext,
    resource: { type: 'SOD_EXCEPTION', id: shown.id },
    // The terms of a request are not stored: an approval adds them.
    before: before === null ? null : showSodException(before, time),
    after: shown,
  });
  const type = EVENT_OF_STATE[shown.state];
  if (type !== undefined) await appendEvents(trx, tenant, [newEvent(type, shown.id, { time, data: shown })]);
}

/** The event of each state that a request brings about. */
const EVENT_OF_STATE: Readonly<Partial<Record<SodExceptionState, EventType>>> = {
  REQUESTED: 'sod.exception.requested',
  APPROVED: 'sod.exception.approved',
  REVOKED: 'sod.exception.revoked',
};

const matching = (db: Kysely<Tables>, tenant: string, { conditions, now }: ExceptionQuery) =>
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
          state: stateAt(now),
        },
        conditions,
      ),
    );

/** `exceptionStateAt` of the domain in SQL. */
const stateAt = (now: string) => sql<SodExceptionState>`case
  when revoked is not null then 'REVOKED'
  when voided < ends then 'VOID'
  when voided is not null then 'EXPIRED'
  when ends <= ${now} then 'EXPIRED'
  when approved is null then 'REQUESTED'
  else 'APPROVED' end`;
