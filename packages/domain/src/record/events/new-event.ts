import { utf8Length } from '../../basics/result/utf8-length.ts';
import { EVENT_TYPES, type EventType } from './table.ts';

/** The most bytes of the data of an event, as JSON in UTF-8. */
export const EVENT_DATA_BYTES_MAX = 262_144;

/** An event to be stored in the transaction of what it tells. */
export interface NewEvent {
  readonly type: EventType;
  /** The id of the resource; null where the event concerns no single resource of its kind. */
  readonly resourceId: string | null;
  /** ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  /** The resource as its GET shows it, as JSON text; null where it is read from a resource that never changes. */
  readonly data: string | null;
}

/** What happened to a resource, and when. */
export interface Happening {
  readonly time: string;
  /** The resource as its GET shows it. */
  readonly data: object;
}

/** An event of the resource with this id; null where the event concerns no single resource of its kind. */
export const newEvent = (type: EventType, resourceId: string | null, { time, data }: Happening): NewEvent => ({
  type,
  resourceId,
  time,
  data: JSON.stringify(data),
});

/** What an event is about: its type names the kind of the resource. */
type EventSubject = Pick<NewEvent, 'type' | 'resourceId'>;

/** The data of an event within its bytes: a reference to the resource in place of data that is larger. */
export function boundedEventData(event: EventSubject, data: string): string {
  // A character has at most three bytes for each of its code units.
  if (data.length * 3 <= EVENT_DATA_BYTES_MAX || utf8Length(data) <= EVENT_DATA_BYTES_MAX) return data;
  return eventReference(event);
}

/** The data of an event that is nothing but a reference to its resource. */
export const eventReference = ({ type, resourceId }: EventSubject): string =>
  JSON.stringify({ type: EVENT_TYPES[type].resource, id: resourceId ?? '' });
