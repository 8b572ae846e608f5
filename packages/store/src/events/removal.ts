import type { Database } from '../engine/database.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * Removes some of the oldest events of each tenant, up to the first that is not older than `before`; true when there may be
 * more. The numbers of others do not change.
 */
export async function removeExpired(database: Database, before: string): Promise<boolean> {
  const heads = await database.read((db) =>
    db.selectFrom('event_head').select(['tenant', 'removed_to']).whereRef('sequence', '>', 'removed_to').execute(),
  );
  let isMore = false;
  for (const { tenant, removed_to } of heads) {
    const rows = await database.read((db) =>
      db
        .selectFrom('event')
        .select(['sequence', 'time'])
        .where('tenant', '=', tenant)
        .where('sequence', '>', removed_to)
        .orderBy('sequence')
        .limit(ROWS_AT_ONCE)
        .execute(),
    );
    const kept = rows.findIndex(({ time }) => time >= before);
    const last = (kept < 0 ? rows : rows.slice(0, kept)).at(-1);
    if (last === undefined) continue;
    isMore ||= kept < 0;
    await database.write({ tenant, changes: 'events' }, async (trx) => {
      await trx.deleteFrom('event').where('tenant', '=', tenant).where('sequence', '<=', last.sequence).execute();
      await trx
        .updateTable('event_head')
        .set({ removed_to: last.sequence })
        .where('tenant', '=', tenant)
        .where('removed_to', '<', last.sequence)
        .execute();
    });
  }
  return isMore;
}
