import { checkEventData, type EventType, eventReference, type NumberedEvent } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { inPieces } from '../../engine/concurrency/in-parts.ts';
import type { Database } from '../../engine/database.ts';
import type { Tables } from '../../schema/tables.ts';
import { columnToCheckState, columnToEventType } from './codec.ts';
import { createRemoval, type RemoveExpired } from './removal.ts';

/** An event as it is stored: numbered within its tenant without gaps, in the order of commits. */
export type StoredEvent = NumberedEvent;

/** The kept events of a tenant: from `oldest` to `last`. `last` is one less than `oldest` while there are none. */
export interface EventRange {
  readonly oldest: number;
  readonly last: number;
}

/** Which events are read. */
export interface EventQuery {
  /** Events after this sequence; from the oldest kept on if left out. */
  readonly after?: number | undefined;
  readonly types: readonly EventType[];
  readonly limit: number;
}

/** The place of an event that is not read yet. */
export interface EventPlace {
  readonly sequence: number;
  readonly type: EventType;
  /** The bytes of its data at most. */
  readonly bytes: number;
}

/** Where the events of a query are. */
export interface EventPlaces {
  readonly range: EventRange;
  /** Whether events after `after` have been removed, or `after` lies beyond the last event. Then there are no places. */
  readonly isGone: boolean;
  readonly places: readonly EventPlace[];
  /** The last event that was examined: from there the next query goes on. */
  readonly through: number;
}

/** The events of a query. */
export interface EventPage extends Omit<EventPlaces, 'places'> {
  readonly events: readonly StoredEvent[];
}

/** The events of each tenant. Each aggregate writes them in the transaction of the change they report. */
export interface EventStore {
  /** The first kept and the last event. */
  head(tenant: string): Promise<EventRange>;
  /**
   * Looks up the last events of tenants, cheaply; 0 for a tenant without events. Leaves out tenants whose server is away.
   */
  lastOf(tenants: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Events by sequence: at most `limit`, and no more than about 64 KiB, or one event. Examines a bounded number of events. */
  read(tenant: string, query: EventQuery): Promise<EventPage>;
  /** The same without the events, and so without the bound in bytes. */
  find(tenant: string, query: EventQuery): Promise<EventPlaces>;
  /** The events at these places, a few at a time. Those that were removed meanwhile are left out. */
  readAt(tenant: string, places: readonly EventPlace[]): AsyncIterable<StoredEvent>;
  /** Removes some old events, the oldest first, of some tenants; true when there may be more. */
  removeExpired: RemoveExpired;
}

// A filtered query looks at this many events at most, of which it may return none.
const EXAMINED_MAX = 10_000;
const PAGE_BYTES_MAX = 65_536;
const BYTES_AT_ONCE = 262_144;
// A piece of small events.
const EVENTS_AT_ONCE = 250;

export function createEventStore(database: Database): EventStore {
  const head = (tenant: string) => database.read((db) => readRange(db, tenant));
  const find = (tenant: string, query: EventQuery) => database.read((db) => findPlaces(db, tenant, query));
  const readAt = (tenant: string, places: readonly EventPlace[]) => readEvents(database, tenant, places);
  return {
    head,
    find,
    readAt,
    removeExpired: createRemoval(database),
    lastOf: (tenants) => database.readOfTenants(tenants, readLastOf),
    read: async (tenant, query) => {
      const { places, ...found } = await find(tenant, query);
      const few = takeBytes(places);
      const events: StoredEvent[] = [];
      for await (const event of readAt(tenant, few)) events.push(event);
      const through = few.length < places.length ? (few.at(-1)?.sequence ?? 0) : found.through;
      // Events that were removed since would otherwise be missed unnoticed.
      const { oldest } = await head(tenant);
      const isGone = found.isGone || (query.after !== undefined && query.after < oldest - 1);
      return isGone ? { ...found, isGone, events: [] } : { ...found, isGone, events, through };
    },
  };
}

async function readRange(db: Kysely<Tables>, tenant: string): Promise<EventRange> {
  const row = await db
    .selectFrom('event_head')
    .select(['sequence', 'removed_to'])
    .where('tenant', '=', tenant)
    .executeTakeFirst();
  return { oldest: (row?.removed_to ?? 0) + 1, last: row?.sequence ?? 0 };
}

async function readLastOf(db: Kysely<Tables>, tenants: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (tenants.length === 0) return new Map();
  const rows = await db
    .selectFrom('event_head')
    .select(['tenant', 'sequence'])
    .where('tenant', 'in', tenants)
    .execute();
  const lastOf = new Map(rows.map(({ tenant, sequence }) => [tenant, sequence]));
  return new Map(tenants.map((tenant) => [tenant, lastOf.get(tenant) ?? 0]));
}

/** The head is read first: all events up to it are committed and can be read. */
async function findPlaces(db: Kysely<Tables>, tenant: string, query: EventQuery): Promise<EventPlaces> {
  const range = await readRange(db, tenant);
  const after = query.after ?? range.oldest - 1;
  if (after < range.oldest - 1 || after > range.last) return { range, isGone: true, places: [], through: after };
  const to = Math.min(range.last, after + EXAMINED_MAX);
  if (query.types.length === 0 || to === after) return { range, isGone: false, places: [], through: to };
  const places = await withChecks(db, tenant)
    .select(['event.sequence', 'event.type', BYTES.as('bytes')])
    .$narrowType<{ type: EventType }>()
    .where('event.sequence', '>', after)
    .where('event.sequence', '<=', to)
    .where('event.type', 'in', query.types)
    .orderBy('event.sequence')
    .limit(query.limit)
    .execute();
  const last = places.at(-1);
  return {
    range,
    isGone: false,
    places,
    through: places.length < query.limit || last === undefined ? to : last.sequence,
  };
}

// Neither engine reads the texts themselves for their sizes.
const BYTES = sql<number>`coalesce(octet_length(event.data), octet_length(sod_check.result), 0)`;

function takeBytes(places: readonly EventPlace[]): readonly EventPlace[] {
  let sum = 0;
  const end = places.findIndex(({ bytes }, place) => {
    sum += bytes;
    return place > 0 && sum > PAGE_BYTES_MAX;
  });
  return end < 0 ? places : places.slice(0, end);
}

async function* readEvents(
  database: Database,
  tenant: string,
  places: readonly EventPlace[],
): AsyncGenerator<StoredEvent> {
  const limits = { sizeOf: ({ bytes }: EventPlace) => bytes, sizeMax: BYTES_AT_ONCE, countMax: EVENTS_AT_ONCE };
  for (const piece of inPieces(places, limits)) {
    const sequences = piece.map(({ sequence }) => sequence);
    const rows = await database.read((db) => selectEvents(db, tenant, sequences).execute());
    yield* rows.map(rowToEvent);
  }
}

const withChecks = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('event')
    .leftJoin('sod_check', (join) =>
      join
        .onRef('sod_check.tenant', '=', 'event.tenant')
        .onRef('sod_check.request_id', '=', 'event.resource_id')
        .on('event.data', 'is', null),
    )
    .where('event.tenant', '=', tenant);

const selectEvents = (db: Kysely<Tables>, tenant: string, sequences: readonly number[]) =>
  withChecks(db, tenant)
    .select(['event.sequence', 'event.id', 'event.type', 'event.resource_id', 'event.time', 'event.data'])
    .select(['sod_check.created', 'sod_check.state', 'sod_check.completed', 'sod_check.result'])
    .where('event.sequence', 'in', sequences)
    .orderBy('event.sequence');

type SelectedEvent = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number];

const rowToEvent = (row: SelectedEvent): StoredEvent => ({
  sequence: row.sequence,
  id: row.id,
  type: columnToEventType(row.type),
  resourceId: row.resource_id,
  time: row.time,
  data: row.data ?? dataOf(row),
});

/** Null data are those of a completed check: a reference where the check is no longer in the database, so that the feed goes on. */
function dataOf({ type, resource_id: id, created, state, completed, result }: SelectedEvent): string {
  if (id === null || created === null || state === null || result === null)
    return eventReference({ type: columnToEventType(type), resourceId: id });
  const check = { requestId: id, created, state: columnToCheckState(state), completed, result };
  return checkEventData(check);
}
