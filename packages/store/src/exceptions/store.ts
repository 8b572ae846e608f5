import {
  type ApprovalView,
  type AuditContext,
  type Capability,
  type EventType,
  fail,
  failure,
  type NewExceptionView,
  type NewSodException,
  type NotFound,
  newEvent,
  ok,
  type Result,
  type SodExceptionRecord,
  type SodExceptionState,
  showSodException,
} from '@access-admin/domain';
import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { recordChange } from '../audit/append-event.ts';
import { createOrderedRunner } from '../concurrency/ordered-runner.ts';
import { type Change, type Failed, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { appendEvents } from '../events/append-events.ts';
import { raiseRevisions } from '../rows/approved-exceptions.ts';
import { parseCapabilities } from '../rows/identity-codec.ts';
import type { Page } from '../rows/page.ts';
import { markRegisterBehind } from '../rows/tenant.ts';
import type { Tables } from '../schema/tables.ts';
import { findException, type PreparedApproval, prepareApproval } from './approval.ts';
import { exceptionToRow, rowToException } from './codec.ts';
import { ATTEMPTS_MAX } from './model-version.ts';

/** A condition of a list: one of the values, or an end not before or not after the only value. */
export type ExceptionCondition =
  | { readonly field: 'policyId' | 'identityId' | 'state'; readonly values: readonly string[] }
  | { readonly field: 'end'; readonly operator: 'ge' | 'le'; readonly values: readonly string[] };

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

/** The exceptions of each tenant. Changes of the access model make them void within the transaction of the change. */
export interface SodExceptionStore {
  /** The exceptions that meet all conditions, by id. */
  list(tenant: string, query: ExceptionQuery, page: Page): Promise<readonly SodExceptionRecord[]>;
  count(tenant: string, query: ExceptionQuery): Promise<number>;
  find(tenant: string, id: string): Promise<SodExceptionRecord | null>;
  /** Reads, decides and stores in one transaction; a failure changes nothing. */
  create<F>(
    auditContext: AuditContext,
    requested: NewSodException,
    decide: (view: NewExceptionView) => Result<SodExceptionRecord, F>,
  ): Promise<Result<SodExceptionRecord, F>>;
  /** The same for an existing exception. What the decision needs of the access model is found out before the transaction. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: Change<SodExceptionRecord, ExceptionView, F, G>,
  ): Promise<Result<SodExceptionRecord, F | G | NotFound>>;
}

export function createSodExceptionStore(database: Database): SodExceptionStore {
  // A preparation may hold megabytes, so a tenant has one at a time.
  const runInOrder = createOrderedRunner();
  return {
    list: (tenant, query, { limit, offset }) =>
      database.read(async (db) => {
        const rows = matching(db, tenant, query).selectAll().orderBy('id').limit(limit).offset(offset);
        return (await rows.execute()).map(rowToException);
      }),
    count: (tenant, query) =>
      database.read(async (db) => {
        const counted = matching(db, tenant, query).select((eb) => eb.fn.countAll<number>().as('count'));
        return (await counted.executeTakeFirstOrThrow()).count;
      }),
    find: (tenant, id) => database.read((db) => findException(db, tenant, id)),
    create: (auditContext, requested, decide) =>
      database.write(auditContext, (trx) => createException(trx, auditContext, { requested, decide })),
    change: (auditContext, id, change) =>
      database.hold((held) =>
        runInOrder(auditContext.tenant, async () => {
          for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            const approval = await prepareApproval(held, auditContext, id);
            const settle: Settle = (trx) => approval.settle(trx, attempt);
            const changed = await held.write(auditContext, (trx) =>
              changeIn(trx, { auditContext, id, settle }, change),
            );
            if (changed !== null) return changed;
          }
          throw new StorageUnavailable('The access of the identity changes too often to decide on its exception.');
        }),
      ),
  };
}

/** A requested exception, and the decision on it. */
export interface ExceptionRequest<F> {
  readonly requested: NewSodException;
  readonly decide: (view: NewExceptionView) => Result<SodExceptionRecord, F>;
}

/** Reads, decides and stores a requested exception within a transaction; a failure changes nothing. */
export async function createException<F>(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { requested, decide }: ExceptionRequest<F>,
): Promise<Result<SodExceptionRecord, F>> {
  const decision = decide(await readNewView(trx, auditContext.tenant, requested));
  if (!decision.ok) return decision;
  const after = decision.value;
  await endExpired(trx, auditContext, after);
  await trx.insertInto('sod_exception').values(exceptionToRow(auditContext.tenant, after)).execute();
  // Its end is told.
  await markRegisterBehind(trx, auditContext.tenant);
  await record(trx, auditContext, { before: null, after });
  return ok(after);
}

type Settle = (trx: Transaction<Tables>) => ReturnType<PreparedApproval['settle']>;

interface PreparedChange {
  readonly auditContext: AuditContext;
  readonly id: string;
  readonly settle: Settle;
}

/** Null when the preparation does not fit the stored data any more. Nothing is written then. */
async function changeIn<F extends Failed, G extends Failed>(
  trx: Transaction<Tables>,
  { auditContext, id, settle }: PreparedChange,
  { precondition = unconditional, decide }: Change<SodExceptionRecord, ExceptionView, F, G>,
): Promise<Result<SodExceptionRecord, F | G | NotFound> | null> {
  const { tenant } = auditContext;
  const before = await findException(trx, tenant, id);
  if (before === null) return fail(NO_EXCEPTION);
  const settled = await settle(trx);
  if (settled === null) return null;
  const capabilities = await readCapabilities(trx, auditContext);
  const decision = underPrecondition(precondition(before), decide({ exception: before, capabilities, ...settled }));
  if (!decision.ok) return decision;
  const after = decision.value;
  const { tenant: _, id: __, ...columns } = exceptionToRow(tenant, after);
  await trx.updateTable('sod_exception').set(columns).where('tenant', '=', tenant).where('id', '=', id).execute();
  if (isInForce(before) !== isInForce(after)) await raiseRevisions(trx, tenant, [after.identityId]);
  await record(trx, auditContext, { before, after });
  return ok(after);
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
): Promise<NewExceptionView> {
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

/** Reads the capabilities of the caller again, because they may have changed since the request was authorized. */
async function readCapabilities(
  trx: Transaction<Tables>,
  { tenant, actor }: AuditContext,
): Promise<readonly Capability[]> {
  const caller = await trx
    .selectFrom('identity')
    .select('capabilities')
    .where('tenant', '=', tenant)
    .where('id', '=', actor.identityId ?? '')
    .executeTakeFirst();
  return caller === undefined ? [] : parseCapabilities(caller.capabilities);
}

interface ExceptionChange {
  readonly before: SodExceptionRecord | null;
  readonly after: SodExceptionRecord;
}

/** Records and tells of the exception with its states before and after, at the time of the request. */
async function record(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { before, after }: ExceptionChange,
): Promise<void> {
  const { tenant, time } = auditContext;
  const shown = showSodException(after, time);
  await recordChange(trx, {
    auditContext,
    resource: { type: 'SOD_EXCEPTION', id: after.id },
    before: before === null ? null : showSodException(before, time),
    after: shown,
  });
  const type = EVENT_OF_STATE[shown.state];
  if (type !== undefined) await appendEvents(trx, tenant, [newEvent(type, after.id, { time, data: shown })]);
}

/** The event of each state that a request brings about. */
const EVENT_OF_STATE: Readonly<Partial<Record<SodExceptionState, EventType>>> = {
  REQUESTED: 'sod.exception.requested',
  APPROVED: 'sod.exception.approved',
  REVOKED: 'sod.exception.revoked',
};

type ExceptionRows = SelectQueryBuilder<Tables, 'sod_exception', object>;

function matching(db: Kysely<Tables>, tenant: string, { conditions, now }: ExceptionQuery): ExceptionRows {
  let query: ExceptionRows = db.selectFrom('sod_exception').where('tenant', '=', tenant);
  for (const condition of conditions) {
    const { field, values } = condition;
    if (field === 'policyId') query = query.where('policy_id', 'in', values);
    else if (field === 'identityId') query = query.where('identity_id', 'in', values);
    else if (field === 'end') query = query.where('ends', condition.operator === 'ge' ? '>=' : '<=', values[0] ?? '');
    else query = query.where(stateAt(now), 'in', values as readonly SodExceptionState[]);
  }
  return query;
}

/** `exceptionStateAt` of the domain in SQL. */
const stateAt = (now: string) => sql<SodExceptionState>`case
  when revoked is not null then 'REVOKED'
  when voided < ends then 'VOID'
  when voided is not null then 'EXPIRED'
  when ends <= ${now} then 'EXPIRED'
  when approved is null then 'REQUESTED'
  else 'APPROVED' end`;
