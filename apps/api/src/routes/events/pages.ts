import { writeCloudEvent } from '@access-admin/contract';
import { type EventType, showSequence } from '@access-admin/domain';
import type { Scheduler } from '@access-admin/scheduling';
import type { EventPage, EventStore } from '@access-admin/store';
import { LRUCache } from 'lru-cache';

/** From where a stream goes on, and what it shows. */
export interface EventPosition {
  readonly tenant: string;
  /** The base address of the tenant. */
  readonly source: string;
  readonly after: number;
  /** The last event that is known of. */
  readonly known: number;
  readonly types: readonly EventType[];
}

/** Some events as streams send them. */
export interface EventText {
  /** Empty where none of the examined events has one of the types. */
  readonly text: Uint8Array;
  readonly through: number;
  readonly last: number;
  readonly isGone: boolean;
}

export type ReadEventText = (position: EventPosition) => Promise<EventText>;

export interface EventPagesDeps {
  readonly events: Pick<EventStore, 'read'>;
  /** The text of one page is made in each turn of the event loop. */
  readonly scheduler: Pick<Scheduler, 'yield'>;
}

/** With their envelopes about as long as the data that the store puts into a page. */
const EVENTS_AT_ONCE = 64;
/** Streams at the same position come within moments of each other. */
const KEPT_MS = 1_000;
const KEPT_BYTES_MAX = 8 * 2 ** 20;
/** What an entry takes beside its text. */
const ENTRY_BYTES = 500;

/** Reads events and makes their text once for all streams at the same position. */
export function createEventPages({ events, scheduler }: EventPagesDeps): ReadEventText {
  const kept = new LRUCache<string, EventText, EventPosition>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ text }) => text.length + ENTRY_BYTES,
    ttl: KEPT_MS,
    // Streams wait for it, whether it can be kept or not.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { options, context: { tenant, source, after, known, types } }) => {
      await scheduler.yield(tenant);
      const page = await events.read(tenant, { after, types, limit: EVENTS_AT_ONCE });
      const { through, range, isGone } = page;
      // It lacks events that are known of.
      if (range.last < known) options.ttl = 1;
      return { text: Buffer.from(textOf(page, source)), through, last: range.last, isGone };
    },
  });
  return (position) => {
    const { tenant, after, known, types } = position;
    return kept.forceFetch(`${tenant} ${after} ${known} ${types.join()}`, { context: position });
  };
}

const textOf = ({ events }: EventPage, source: string): string =>
  events.map((event) => `id: ${showSequence(event.sequence)}\ndata: ${writeCloudEvent(event, source)}\n\n`).join('');
