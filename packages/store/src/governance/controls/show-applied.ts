import {
  type AppliedControl,
  type ControlException,
  isLive,
  showAppliedControl,
  violationNameOf,
} from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { readIdentityNames } from '../../access/records/identity-names.ts';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { SodViolationRow, Tables } from '../../schema/tables.ts';
import { JUDGED } from '../exceptions/approved.ts';
import { rowToDates } from '../exceptions/codec.ts';
import { findVoid } from '../exceptions/find-void.ts';
import { seenAs } from '../exceptions/state.ts';

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;

/** The controls that were applied to violations of a tenant, by the id of the violation, the earliest first, as of `now` (ISO 8601). */
export async function showAppliedControls(
  db: Kysely<Tables>,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  violations: readonly Pick<SodViolationRow, 'id' | 'policy_name' | 'target_name'>[],
): Promise<ReadonlyMap<string, readonly AppliedControl[]>> {
  const byId = new Map(violations.map((violation) => [violation.id, violation]));
  const shown = new Map<string, AppliedControl[]>();
  for (const some of inParts(violations, IDS_AT_ONCE)) {
    const ids = some.map(({ id }) => id);
    const rows = await readApplied(db, tenant, ids);
    const names = await readIdentityNames(db, tenant, new Set(rows.map(({ applier_id }) => applier_id)));
    const exceptions = await readExceptions(
      db,
      { tenant, now },
      rows.map(({ exception_id }) => exception_id),
    );
    for (const row of rows) {
      const { policy_name = '', target_name = '' } = byId.get(row.violation_id) ?? {};
      const control = showAppliedControl(
        {
          id: row.id,
          violationRef: { type: 'VIOLATION', id: row.violation_id, name: violationNameOf(policy_name, target_name) },
          control: { type: 'CONTROL', id: row.control_id, name: row.control_name },
          applier: { type: 'IDENTITY', id: row.applier_id, name: names.get(row.applier_id) ?? row.applier_id },
          appliedDate: row.applied,
          comments: row.comments,
          exceptionId: row.exception_id,
        },
        exceptions.get(row.exception_id) ?? null,
        now,
      );
      const others = shown.get(row.violation_id);
      if (others === undefined) shown.set(row.violation_id, [control]);
      else others.push(control);
    }
  }
  return shown;
}

const readApplied = (db: Kysely<Tables>, tenant: string, violationIds: readonly string[]) =>
  db
    .selectFrom('applied_control')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('violation_id', 'in', violationIds)
    .orderBy('applied')
    .orderBy('id')
    .execute();

/** The exceptions with these ids, as they are to be shown. */
async function readExceptions(
  db: Kysely<Tables>,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  ids: readonly string[],
): Promise<ReadonlyMap<string, ControlException>> {
  const query = db.selectFrom('sod_exception').select([...JUDGED, 'ends', 'revoked', 'voided']);
  const rows = await query
    .where('tenant', '=', tenant)
    .where(isOneOf(db, 'id', ids))
    .execute();
  const live = rows.filter((row) => isLive(rowToDates(row), now));
  const voidIds = await findVoid({ read: (work) => work(db) }, tenant, live);
  return new Map(rows.map((row) => [row.id, seenAs({ id: row.id, ...rowToDates(row) }, voidIds, now)]));
}
