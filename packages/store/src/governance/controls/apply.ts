import {
  type AppliedControl,
  type AuditContext,
  exceptionOfControl,
  type Failure,
  fail,
  failure,
  type NotFound,
  ok,
  type Result,
  requestException,
  showAppliedControl,
  textOfMissing,
  validateNewException,
  violationNameOf,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { readIdentityNames } from '../../access/records/identity-names.ts';
import type { Reads } from '../../engine/database.ts';
import type { Tables } from '../../schema/tables.ts';
import { markControlled } from '../exceptions/mark-controlled.ts';
import { type PresentPair, readPresentPair } from '../exceptions/present-pair.ts';
import { createException, type ExceptionRequest } from '../exceptions/request.ts';
import { rowToControl } from './codec.ts';

/** A control to be applied to a violation by an identity. */
export interface ControlApplication {
  /** Of the application. */
  readonly id: string;
  readonly exceptionId: string;
  readonly violationId: string;
  readonly controlId: string;
  readonly comments: string | null;
  readonly applierId: string;
}

/** Reads what the exception of a violation is decided on; null when there is no such violation. */
export async function readPairOfViolation(
  reads: Reads,
  auditContext: AuditContext,
  violationId: string,
): Promise<PresentPair | null> {
  const pair = await reads.read((db) =>
    db
      .selectFrom('sod_violation')
      .select(['policy_id as policyId', 'identity_id as identityId'])
      .where('tenant', '=', auditContext.tenant)
      .where('id', '=', violationId)
      .executeTakeFirst(),
  );
  return pair === undefined ? null : readPresentPair(reads, auditContext, pair);
}

/** Applies a control within a transaction: requests its exception, with all rules of exceptions. */
export async function applyControl(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { present, isMailed, ...application }: ControlApplication & Pick<ExceptionRequest<never>, 'present' | 'isMailed'>,
): Promise<Result<AppliedControl, Failure>> {
  const { tenant, time: now } = auditContext;
  const { id, exceptionId, violationId, controlId, comments, applierId } = application;
  const violation = await trx
    .selectFrom('sod_violation')
    .select(['identity_id', 'policy_id', 'policy_name', 'target_name', 'closed'])
    .where('tenant', '=', tenant)
    .where('id', '=', violationId)
    // Its change below must not wait for a worker that waits for the events of this transaction.
    .forUpdate()
    .executeTakeFirst();
  if (violation === undefined) return fail(NO_VIOLATION);
  const row = await trx
    .selectFrom('control')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', controlId)
    .executeTakeFirst();
  if (row === undefined) return fail(failure('ReferenceNotFound', 'control', textOfMissing('control', controlId)));
  const { identity_id: identityId, policy_id: policyId, closed } = violation;
  const requested = exceptionOfControl(
    rowToControl(row),
    { policyId, identityId, hasEnded: closed !== null },
    { comments, now },
  );
  if (!requested.ok) return requested;
  const actor = { identityId: applierId, now, id: exceptionId };
  const refused = validateNewException(requested.value, actor);
  if (refused !== null) return fail(refused);
  const created = await createException(trx, auditContext, {
    requested: requested.value,
    present,
    isMailed,
    decide: (view) => requestException(requested.value, view, actor),
  });
  if (!created.ok) return created;
  const applied = { control_id: controlId, control_name: row.name, exception_id: exceptionId, comments };
  await trx
    .insertInto('applied_control')
    .values({ tenant, id, violation_id: violationId, ...applied, applier_id: applierId, applied: now })
    .execute();
  await markControlled(trx, { tenant, now }, [exceptionId]);
  const names = await readIdentityNames(trx, tenant, new Set([applierId]));
  const shown = {
    id,
    violationRef: {
      type: 'VIOLATION',
      id: violationId,
      name: violationNameOf(violation.policy_name, violation.target_name),
    },
    control: { type: 'CONTROL', id: controlId, name: row.name },
    applier: { type: 'IDENTITY', id: applierId, name: names.get(applierId) ?? applierId },
    appliedDate: now,
    comments,
    exceptionId,
  } as const;
  return ok(showAppliedControl(shown, created.value.exception, now));
}

export const NO_VIOLATION: NotFound = failure('NotFound', '', 'There is no such violation.');
