import {
  type ApprovalView,
  type AuditContext,
  type DecisionMaker,
  type EventType,
  exceptionStateAt,
  fail,
  failure,
  isLive,
  type NewExceptionView,
  type NewSodException,
  type NotFound,
  newEvent,
  ok,
  type Result,
  type SeenConflict,
  type SeenException,
  type SodExceptionRecord,
  type SodExceptionState,
  showSodException,
} from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { parseCapabilities } from '../access-model/records/identity-codec.ts';
import { recordChange } from '../audit/append-event.ts';
import { createOrderedRunner } from '../concurrency/ordered-runner.ts';
import { type Failed, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database, Reads } from '../engine/database.ts';
import { changeScope } from '../engine/scope.ts';
import { appendEvents } from '../events/append-events.ts';
import { type Condition, compileFilter } from '../query/filter.ts';
import { isOneOf } from '../query/one-of.ts';
import type { Page } from '../query/page.ts';
import type { SodExceptionRow, Tables } from '../schema/tables.ts';
import { markRegisterBehind } from '../tenants/versions.ts';
import { readTies } from '../ties/read.ts';
import { exceptionToRow, rowToException } from './codec.ts';
import { findUnstoredVoid } from './find-unstored.ts';
import { findVoid } from './find-void.ts';
import { raiseRevisions } from './revisions.ts';
import { type ConflictPair, type ConflictScope, findSeenConflicts } from './seen-conflicts.ts';
import { storeVoidIn, tellVoid } from './store-void.ts';

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

/** The exceptions of each tenant. One that the present data make void is shown so, also before the worker has stored it. */
export interface ExceptionStore {
  /** The exceptions that meet all conditions, by id. */
  list(tenant: string, query: ExceptionQuery, page: Page): Promise<readonly SeenException[]>;
  count(tenant: string, query: ExceptionQuery): Promise<number>;
  /** With its terms at `now` (ISO 8601). */
  find(tenant: string, id: string, now: string): Promise<SeenException | null>;
  /**
   * Reads, decides and stores in one transaction; a failure changes nothing. The conflict is read before: what changes
   * meanwhile differs from what the approval is bound to.
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
        const { count } = await all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
        return count;
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
          createException(trx, auditContext, { requested, present, decide }),
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
        return database.write(changeScope(auditContext), (trx) => changeIn(trx, { auditContext, id, present }, change));
      }),
  };
}

/** What of the access model a decision on an exception needs. */
export interface PresentPair {
  /** How held access violates the policy; null when it does not. */
  readonly conflict: SeenConflict | null;
  /** The live exceptions of the pair that are void. */
  readonly voidIds: ReadonlySet<string>;
}

/** Reads what decisions on the exceptions of a policy and an identity need. */
export async function readPresentPair(
  reads: Reads,
  { tenant, time: now }: AuditContext,
  pair: ConflictPair,
): Promise<PresentPair> {
  const open = await reads.read((db) => openOf(db, tenant, pair).execute());
  const live = open.filter(({ ends }) => ends > now);
  const conflicts = await findSeenConflicts(reads, { tenant, now }, [pair]);
  return { conflict: conflicts.get(pair) ?? null, voidIds: await findVoid(reads, tenant, live) };
}

const openOf = (db: Kysely<Tables>, tenant: string, { policyId, identityId }: ConflictPair) =>
  db
    .selectFrom('sod_exception')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .where('policy_id', '=', policyId)
    .where('revoked', 'is', null)
    .where('voided', 'is', null);

/** Shows which live exceptions are void, and the terms of requested ones. */
async function seeAll(
  reads: Reads,
  scope: ConflictScope,
  rows: readonly SodExceptionRow[],
): Promise<readonly SeenException[]> {
  const stored = rows.map(rowToException);
  const voidIds = await findVoid(
    reads,
    scope.tenant,
    rows.filter((_, at) => stored[at] !== undefined && isLive(stored[at], scope.now)),
  );
  const exceptions = stored.map((exception) => seenAs(exception, voidIds, scope.now));
  const requested = exceptions.filter((exception) => exceptionStateAt(exception, scope.now) === 'REQUESTED');
  const conflicts = await findSeenConflicts(reads, scope, requested);
  return exceptions.map((exception) => ({ exception, presentTerms: conflicts.get(exception)?.terms ?? null }));
}

const seenAs = (exception: SodExceptionRecord, voidIds: ReadonlySet<string>, now: string): SodExceptionRecord =>
  voidIds.has(exception.id) && isLive(exception, now) ? { ...exception, voided: now } : exception;

/** A requested exception, and the decision on it. */
export interface ExceptionRequest<F> {
  readonly requested: NewSodException;
  readonly present: PresentPair;
  readonly decide: (view: NewExceptionView) => Result<SodExceptionRecord, F>;
}

/** Reads, decides and stores a requested exception within a transaction; a failure changes nothing. */
export async function createException<F>(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { requested, present, decide }: ExceptionRequest<F>,
): Promise<Result<SeenException, F>> {
  const { tenant, time: now } = auditContext;
  const { conflict, voidIds } = present;
  const { createdMs, ...view } = await readNewView(trx, auditContext, { requested, present });
  const decision = decide(view);
  if (!decision.ok) return decision;
  const exception = decision.value;
  // A policy and an identity have one open exception at most.
  const voided = await storeVoidIn(trx, { tenant, now }, [...voidIds]);
  await endExpired(trx, auditContext, exception);
  const row = { ...exceptionToRow(tenant, exception), identity_created_ms: createdMs ?? 0 };
  await trx.insertInto('sod_exception').values(row).execute();
  // Its end is told.
  await markRegisterBehind(trx, tenant);
  const seen = { exception, presentTerms: conflict?.terms ?? null };
  await record(trx, auditContext, { before: null, after: seen });
  await tellVoid(trx, { tenant, now }, voided);
  return ok(seen);
}

interface PreparedChange {
  readonly auditContext: AuditContext;
  readonly id: string;
  readonly present: PresentPair;
}

async function changeIn<F extends Failed, G extends Failed>(
  trx: Transaction<Tables>,
  { auditContext, id, present }: PreparedChange,
  { precondition = unconditional, decide }: ExceptionChange<F, G>,
): Promise<Result<SeenException, F | G | NotFound>> {
  const { tenant, time: now, actor } = auditContext;
  const row = await findException(trx, tenant, id);
  if (row === null) return fail(NO_EXCEPTION);
  const before = seenAs(rowToException(row), present.voidIds, now);
  const { capabilities, displayName } = await readDecisionMaker(trx, auditContext);
  const persons = [actor.identityId ?? '', before.requesterId, before.identityId];
  const ties = await readTies(trx, { tenant, now }, persons);
  const conflict = exceptionStateAt(before, now) === 'REQUESTED' ? present.conflict : null;
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

export async function findException(db: Kysely<Tables>, tenant: string, id: string): Promise<SodExceptionRow | null> {
  const query = db.selectFrom('sod_exception').selectAll().where('tenant', '=', tenant);
  return (await query.where('id', '=', id).executeTakeFirst()) ?? null;
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
  { tenant, time: now }: AuditContext,
  { requested, present: { conflict, voidIds } }: Pick<ExceptionRequest<never>, 'requested' | 'present'>,
): Promise<NewExceptionView & { readonly createdMs: number | null }> {
  const policy = await trx
    .selectFrom('sod_policy')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', requested.policyId)
    .executeTakeFirst();
  const identity = await trx
    .selectFrom('identity')
    .select('created_ms')
    .where('tenant', '=', tenant)
    .where('id', '=', requested.identityId)
    .executeTakeFirst();
  const others = await openOf(trx, tenant, requested).execute();
  return {
    policyExists: policy !== undefined,
    identityExists: identity !== undefined,
    others: others.map((row) => seenAs(rowToException(row), voidIds, now)),
    conflict,
    createdMs: identity?.created_ms ?? null,
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

/** `exceptionStateAt` of the domain in SQL, with what is void though that is not stored. */
const stateAt = (now: string, isVoid: RawBuilder<boolean>) => sql<SodExceptionState>`case
  when revoked is not null then 'REVOKED'
  when voided < ends then 'VOID'
  when voided is not null then 'EXPIRED'
  when ends <= ${now} then 'EXPIRED'
  when ${isVoid} then 'VOID'
  when approved is null then 'REQUESTED'
  else 'APPROVED' end`;
