import { boundedEventData, type NewEvent } from '@access-admin/domain';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { newEventId } from '../../engine/event-id.ts';
import { insertRows } from '../../query/insert.ts';
import type { EventRow, Tables } from '../../schema/tables.ts';

const NUMBERS_AT_ONCE = 1_000;

/**
 * Stores events in the transaction of the change they report. Others that append events of the tenant wait from here until the
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
    data: dataOf(event),
  });
  const rows = events.map(toRow);
  await insertRows(trx, { table: 'event', onConflict: () => sql``, repeated: [['tenant', 'type', 'time']] }, rows);
}

const dataOf = (event: NewEvent): string | null => (event.data === null ? null : boundedEventData(event, event.data));

/** An event as columns of the row that it reports. */
export const EVENT_COLUMNS = {
  event_place: 'integer',
  event_id: 'text',
  event_type: 'text',
  event_resource: 'text',
  event_time: 'text',
  event_data: 'text',
} as const;

export const toEventColumns = (event: NewEvent, place: number) => ({
  event_place: place,
  event_id: newEventId(),
  event_type: event.type,
  event_resource: event.resourceId,
  event_time: event.time,
  event_data: dataOf(event),
});

/** Parts of a `with` that append the events of the rows of an earlier part, where the engine chains writes. */
export const appendEventsOf = (tenant: string, part: string): RawBuilder<unknown> => sql`
  head as (
    insert into event_head (tenant, sequence, removed_to)
    select ${tenant}, count(*), 0 from ${sql.ref(part)} having count(*) > 0
    on conflict (tenant) do update set sequence = event_head.sequence + excluded.sequence returning sequence
  ),
  appended as (
    insert into event (tenant, sequence, id, type, resource_id, time, data)
    select ${tenant}, head.sequence - count(*) over () + row_number() over (order by event_place),
      event_id, event_type, event_resource, event_time, event_data
    from ${sql.ref(part)} cross join head
  )`;

/** Returns the last of the numbers, and keeps the head locked until the commit. */
async function takeNumbers(trx: Transaction<Tables>, tenant: string, count: number): Promise<number> {
  // Kysely takes longer to build the statement by its methods than SQLite to run it.
  const { rows } = await sql<{ readonly sequence: number }>`
    insert into event_head (tenant, sequence, removed_to) values (${tenant}, ${count}, 0)
    on conflict (tenant) do update set sequence = event_head.sequence + excluded.sequence
    returning sequence`.execute(trx);
  const [head] = rows;
  if (head === undefined) throw new Error('The head of the events was not returned.');
  return head.sequence;
}
