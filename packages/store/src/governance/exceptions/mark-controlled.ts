import type { Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

/** Marks the violations as changed to which exceptions apply controls: a control's state is that of its exception. */
export async function markControlled(
  trx: Transaction<Tables>,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  exceptionIds: readonly string[],
): Promise<void> {
  if (exceptionIds.length === 0) return;
  await trx
    .updateTable('sod_violation')
    .set({ modified: now })
    .where('tenant', '=', tenant)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('applied_control')
        .select('violation_id')
        .where('tenant', '=', tenant)
        .where('exception_id', 'in', exceptionIds),
    )
    .execute();
}
