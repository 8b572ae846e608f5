import { exceptionStateAt, showSodException } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { appendEvents } from '../../../record/events/append-events.ts';
import type { RegisterHeadRow, Tables } from '../../../schema/tables.ts';
import { rowToDates, rowToException } from '../../exceptions/codec.ts';
import { markControlled } from '../../exceptions/mark-controlled.ts';
import { latestUsual } from './head.ts';

const ROWS_AT_ONCE = 200;

// The last character there is: sorts after every id.
const LAST_ID = '\u{10ffff}';

/** Publishes events for some expired exceptions, each once; true if more may remain. Those that were revoked or voided before their end do not expire. */
export async function publishExpired(trx: Transaction<Tables>, head: RegisterHeadRow, until: string): Promise<boolean> {
  const { tenant, expired_end: end, expired_id: id } = head;
  const setCursor = (to: { readonly end: string; readonly id: string }) =>
    trx
      .updateTable('register_head')
      .set({ expired_end: to.end, expired_id: to.id })
      .where('tenant', '=', tenant)
      .execute();
  // Those that ended before the first round are not told. After a clock was ahead, those that have yet to end are told when they do.
  if (end === '' || end > latestUsual(Date.parse(until))) {
    await setCursor({ end: until, id: LAST_ID });
    return false;
  }
  const rows = await trx
    .selectFrom('sod_exception')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(sql<boolean>`(ends, id) > (${end}, ${id})`)
    .where('ends', '<=', until)
    .orderBy('ends')
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute();
  const last = rows.at(-1);
  const isMore = rows.length === ROWS_AT_ONCE;
  if (last !== undefined) await setCursor(isMore ? { end: last.ends, id: last.id } : { end: until, id: LAST_ID });
  const expired = rows.filter((row) => exceptionStateAt(rowToDates(row), until) === 'EXPIRED');
  await markControlled(
    trx,
    { tenant, now: until },
    expired.map(({ id }) => id),
  );
  const events = expired.map((row) => ({
    type: 'sod.exception.expired' as const,
    resourceId: row.id,
    time: until,
    data: JSON.stringify(showSodException(rowToException(row), until)),
  }));
  await appendEvents(trx, tenant, events);
  return isMore;
}
