import { boundedEventData, type NewEvent } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { newEventId } from '../engine/event-id.ts';
import { insertRows } from '../query/insert.ts';
import type { EventRow, Tables } from '../schema/tables.ts';

const NUMBERS_AT_ONCE = 1_000;

/**
 * Stores events in the transaction of what they tell. Others that append events of the tenant wait from here until the
 * transaction ends, so that numbers follow the order of commits: call it last.
 */
export async function appendEvents(
  trx: Transaction<Tables>,
  tenant: string,
  events: Iterable<NewEvent>,
): Promise<void> {
  let some: NewEvent[] = [];
  for (const event of events) {
    some.push(event);
    if (some.length < NUMBERS_AT_ONCE) continue;
    await appendSome(trx, tenant, some);
    some = [];
  }
  if (some.length > 0) await appendSome(trx, tenant, some);
}

async function appendSome(trx: Transaction<Tables>, tenant: string, events: readonly NewEvent[]): Promise<void> {
  const first = (await takeNumbers(trx, tenant, events.length)) - events.length + 1;
  const toRow = (event: NewEvent, place: number): EventRow => ({
    tenant,
    sequence: first + place,
    id: newEventId(),
    type: event.type,
    resource_id: event.resourceId,
    time: event.time,
    data: event.data === null ? null : boundedEventData(event, event.data),
  });
  const rows = events.map(toRow);
  await insertRows(trx, { table: 'event', onConflict: () => sql``, repeated: [['tenant', 'type', 'time']] }, rows);
}

/** Returns the last of the numbers, and keeps the head locked until the commit. */
async function takeNumbers(trx: Transaction<Tables>, tenant: string, count: number): Promise<number> {
  const { sequence } = await trx
    .insertInto('event_head')
    .values({ tenant, sequence: count, removed_to: 0 })
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet((eb) => ({ sequence: eb('event_head.sequence', '+', count) })),
    )
    .returning('sequence')
    .executeTakeFirstOrThrow();
  return sequence;
}
