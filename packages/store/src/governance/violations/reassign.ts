import {
  type AuditContext,
  type Conflict,
  decideReassignment,
  type Forbidden,
  type NotFound,
  newEvent,
  ok,
  type Result,
  type SodViolation,
  type ViolationCaller,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { recordChange } from '../../record/audit/append-event.ts';
import { appendEvents } from '../../record/events/append-events.ts';
import type { Tables } from '../../schema/tables.ts';
import { readRegisterView } from './register/head.ts';
import { readOwnerId, readOwners } from './register/owners.ts';
import { showViolations } from './register/show.ts';

/** Another owner for a violation. */
export interface Reassignment {
  readonly id: string;
  readonly assigneeId: string;
  readonly comments: string | null;
  readonly caller: ViolationCaller;
}

/** Gives a violation another owner within a transaction; null when the identity owns it already. */
export async function reassignViolation(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { id, assigneeId, comments, caller }: Reassignment,
): Promise<Result<SodViolation | null, Forbidden | NotFound | Conflict>> {
  const { tenant, time } = auditContext;
  const found = trx.selectFrom('sod_violation').selectAll().where('tenant', '=', tenant).where('id', '=', id);
  // A worker that changes or ends it waits for the end of this transaction.
  const row = await found.forUpdate().executeTakeFirst();
  // While the register has not taken in the deletion of another one with this id, it would take the violation away again.
  const assigneeExists = (await readOwners(trx, tenant, [assigneeId])).has(assigneeId);
  const violation =
    row === undefined
      ? null
      : {
          ownerId: await readOwnerId(trx, tenant, row.owner_id),
          targetId: row.identity_id,
          hasEnded: row.closed !== null,
        };
  const decision = decideReassignment({ violation, assigneeExists }, assigneeId, caller);
  if (!decision.ok) return decision;
  if (!decision.value || row === undefined) return ok(null);
  const updated = await trx
    .updateTable('sod_violation')
    .set({ owner_id: assigneeId, modified: time })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .returningAll()
    .execute();
  const { asOf } = await readRegisterView(trx, tenant, time);
  const [shown] = await showViolations(trx, updated, asOf ?? time);
  if (shown === undefined) throw new Error('A violation is shown as one.');
  await recordChange(trx, {
    auditContext,
    resource: { type: 'SOD_VIOLATION', id },
    before: { ownerId: row.owner_id, comments: null },
    after: { ownerId: assigneeId, comments },
  });
  await appendEvents(trx, tenant, [newEvent('sod.violation.reassigned', id, { time, data: shown })]);
  return ok(shown);
}
