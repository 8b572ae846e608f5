import {
  type AuditContext,
  type NewExceptionView,
  type NewSodException,
  ok,
  type Result,
  type SeenException,
  type SodExceptionRecord,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { markRegisterBehind } from '../../record/tenants/versions.ts';
import type { Tables } from '../../schema/tables.ts';
import { exceptionToRow, rowToException } from './codec.ts';
import { type PresentPair, selectOfPair } from './present-pair.ts';
import { recordException } from './record.ts';
import { seenAs } from './state.ts';
import { publishVoided, storeVoidIn } from './store-void.ts';

/** A requested exception, and the decision on it. */
export interface ExceptionRequest<F> {
  readonly requested: NewSodException;
  readonly present: PresentPair;
  readonly isMailed: boolean;
  readonly decide: (view: NewExceptionView) => Result<SodExceptionRecord, F>;
}

/** Reads, decides and stores a requested exception within a transaction; a failure changes nothing. */
export async function createException<F>(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { requested, present, isMailed, decide }: ExceptionRequest<F>,
): Promise<Result<SeenException, F>> {
  const { tenant, time: now } = auditContext;
  const { createdMs, policyCreated, ...view } = await readNewView(trx, auditContext, { requested, present });
  const decision = decide(view);
  if (!decision.ok) return decision;
  const exception = decision.value;
  // All of them are over. They end for good, or a clock that is set back would revive one beside the new one.
  const ended = await storeVoidIn(
    trx,
    { tenant, now },
    view.others.map(({ id }) => id),
  );
  const row = {
    ...exceptionToRow(tenant, exception),
    identity_created_ms: createdMs ?? 0,
    policy_created: policyCreated ?? '',
  };
  await trx.insertInto('sod_exception').values(row).execute();
  // A round must learn of the new end, to tell when the exception expires.
  await markRegisterBehind(trx, tenant);
  const seen = { exception, presentTerms: present.conflict?.terms ?? null };
  await recordException(trx, auditContext, { before: null, after: seen, isMailed });
  await publishVoided(trx, { tenant, now }, ended);
  return ok(seen);
}

async function readNewView(
  trx: Transaction<Tables>,
  { tenant, time: now }: AuditContext,
  { requested, present: { conflict, voidIds } }: Pick<ExceptionRequest<never>, 'requested' | 'present'>,
): Promise<NewExceptionView & { readonly createdMs: number | null; readonly policyCreated: string | null }> {
  const policy = await trx
    .selectFrom('sod_policy')
    .select('created')
    .where('tenant', '=', tenant)
    .where('id', '=', requested.policyId)
    .executeTakeFirst();
  const identity = await trx
    .selectFrom('identity')
    .select('created_ms')
    .where('tenant', '=', tenant)
    .where('id', '=', requested.identityId)
    .executeTakeFirst();
  const others = await selectOfPair(trx, tenant, requested).execute();
  return {
    policyExists: policy !== undefined,
    identityExists: identity !== undefined,
    others: others.map((row) => seenAs(rowToException(row), voidIds, now)),
    conflict,
    createdMs: identity?.created_ms ?? null,
    policyCreated: policy?.created ?? null,
  };
}
