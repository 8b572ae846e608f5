import type { Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

const ROWS_AT_ONCE = 200;

/** Removes some violations that ended before an instant, and then the days before it; `more` while some may be left. */
export async function removeEnded(trx: Transaction<Tables>, tenant: string, before: string): Promise<true | 'more'> {
  const { numDeletedRows } = await trx
    .deleteFrom('sod_violation')
    .where('tenant', '=', tenant)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sod_violation')
        .select('id')
        .where('tenant', '=', tenant)
        .where('closed', '<', before)
        .orderBy('closed')
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  if (numDeletedRows >= ROWS_AT_ONCE) return 'more';
  await trx.deleteFrom('register_day').where('tenant', '=', tenant).where('day', '<', before.slice(0, 10)).execute();
  return true;
}
