import type { Kysely } from 'kysely';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import type { Tables } from '../../schema/tables.ts';
import { JUDGED } from '../exceptions/approved.ts';
import { findVoid } from '../exceptions/find-void.ts';
import { selectOpen } from '../exceptions/state.ts';

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;

/** The controls among these ids whose exceptions are requested or approved, neither void nor over at `now` (ISO 8601). */
export async function findAppliedControls(
  db: Kysely<Tables>,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const applied = new Set<string>();
  for (const some of inParts(ids, IDS_AT_ONCE)) {
    const rows = await selectOpen(db, tenant)
      .innerJoin('applied_control', 'applied_control.exception_id', 'sod_exception.id')
      .select(['control_id', ...JUDGED])
      .where('applied_control.tenant', '=', tenant)
      .where('control_id', 'in', some)
      .where('ends', '>', now)
      .execute();
    const voidIds = await findVoid({ read: (query) => query(db) }, tenant, rows);
    for (const { id, control_id } of rows) if (!voidIds.has(id)) applied.add(control_id);
  }
  return applied;
}
