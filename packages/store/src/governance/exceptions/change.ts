import {
  type ApprovalView,
  type AuditContext,
  type DecisionMaker,
  exceptionStateAt,
  fail,
  failure,
  type NotFound,
  ok,
  type Result,
  type SeenException,
  type SodExceptionRecord,
} from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import { parseCapabilities } from '../../access/records/identity-codec.ts';
import { type Failed, unconditional, underPrecondition } from '../../engine/change.ts';
import { readTies } from '../../record/ties/read.ts';
import type { SodExceptionRow, Tables } from '../../schema/tables.ts';
import { exceptionToRow, rowToException } from './codec.ts';
import { markControlled } from './mark-controlled.ts';
import type { PresentPair } from './present-pair.ts';
import { recordException } from './record.ts';
import { raiseRevisions } from './revisions.ts';
import { seenAs } from './state.ts';
import { publishVoided, storeVoidIn } from './store-void.ts';

export const NO_EXCEPTION: NotFound = failure('NotFound', '', 'There is no such SOD exception.');

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

interface PreparedChange {
  readonly auditContext: AuditContext;
  readonly id: string;
  readonly present: PresentPair;
  readonly isMailed: boolean;
}

/**
 * Reads, decides and stores a change within a transaction. A failure changes nothing, but an exception that was refused as void
 * stays so: what a caller was told must not cover again.
 */
export async function changeException<F extends Failed, G extends Failed>(
  trx: Transaction<Tables>,
  { auditContext, id, present, isMailed }: PreparedChange,
  { precondition = unconditional, decide }: ExceptionChange<F, G>,
): Promise<Result<SeenException, F | G | NotFound>> {
  const { tenant, time: now, actor } = auditContext;
  const row = await findException(trx, tenant, id);
  if (row === null) return fail(NO_EXCEPTION);
  const stored = rowToException(row);
  const before = seenAs(stored, present.voidIds, now);
  const { capabilities, displayName } = await readDecisionMaker(trx, auditContext);
  const persons = [actor.identityId ?? '', before.requesterId, before.identityId];
  const ties = await readTies(trx, { tenant, now }, persons);
  const conflict = exceptionStateAt(before, now) === 'REQUESTED' ? present.conflict : null;
  const presentTerms = conflict?.terms ?? null;
  const decision = underPrecondition(
    precondition({ exception: before, presentTerms }),
    decide({ exception: before, capabilities, displayName, conflict, ties }),
  );
  if (!decision.ok) {
    if (decision.failure.type === 'Conflict' && before.voided !== stored.voided)
      await publishVoided(trx, { tenant, now }, await storeVoidIn(trx, { tenant, now }, [id]));
    return decision;
  }
  const exception = decision.value;
  const { tenant: _, id: __, ...columns } = exceptionToRow(tenant, exception);
  await trx.updateTable('sod_exception').set(columns).where('tenant', '=', tenant).where('id', '=', id).execute();
  if (exceptionStateAt(before, now) !== exceptionStateAt(exception, now))
    await markControlled(trx, { tenant, now }, [id]);
  if (isInForce(before) !== isInForce(exception)) await raiseRevisions(trx, tenant, [exception.identityId]);
  const seen = { exception, presentTerms };
  await recordException(trx, auditContext, { before, after: seen, isMailed });
  return ok(seen);
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

export async function findException(db: Kysely<Tables>, tenant: string, id: string): Promise<SodExceptionRow | null> {
  const query = db.selectFrom('sod_exception').selectAll().where('tenant', '=', tenant);
  return (await query.where('id', '=', id).executeTakeFirst()) ?? null;
}

const isInForce = ({ approved, revoked }: SodExceptionRecord) => approved !== null && revoked === null;
