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
import { recordChange } from '../audit/append-event.ts';
import { appendEvents } from '../events/append-events.ts';
import { readIdentityNames } from '../rows/identity-names.ts';
import type { Tables } from '../schema/tables.ts';
import { readRegisterView } from './head.ts';
import { showViolations } from './show.ts';

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
  const row = await trx
    .selectFrom('sod_violation')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  const assigneeExists = (await readIdentityNames(trx, tenant, new Set([assigneeId]))).has(assigneeId);
  const decide = (hasEnded: boolean) => {
    const violation = row === undefined ? null : { ownerId: row.owner_id, targetId: row.identity_id, hasEnded };
    return decideReassignment({ violation, assigneeExists }, assigneeId, caller);
  };
  const decision = decide(row !== undefined && row.closed !== null);
  if (!decision.ok) return decision;
  if (!decision.value || row === undefined) return ok(null);
  // The register's worker writes in another scope, and may end the violation meanwhile.
  const updated = await trx
    .updateTable('sod_violation')
    .set({ owner_id: assigneeId, modified: time })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('closed', 'is', null)
    .returningAll()
    .execute();
  if (updated.length === 0) {
    const ended = decide(true);
    return ended.ok ? ok(null) : ended;
  }
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
