import { EVENT_TYPES, type EventType, wireTypeOf } from './table.ts';

/** An event of a tenant as it is stored. */
export interface NumberedEvent {
  readonly sequence: number;
  /** A UUID. */
  readonly id: string;
  readonly type: EventType;
  /** The path of the resource. */
  readonly subject: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  /** JSON text. */
  readonly data: string;
}

const SEQUENCE_DIGITS = 20;

/** A sequence as callers see it: decimal, padded with zeros, so that texts sort like numbers. */
export const showSequence = (sequence: number): string => String(sequence).padStart(SEQUENCE_DIGITS, '0');

/** An event as a CloudEvent 1.0 in structured JSON. `source` is the base address of the tenant. */
export function writeCloudEvent(event: NumberedEvent, source: string): string {
  const { id, type, subject, time, sequence, data } = event;
  const envelope = JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type: wireTypeOf(type),
    subject,
    time,
    datacontenttype: 'application/json',
    dataschema: `${source}/openapi.json#/components/schemas/${EVENT_TYPES[type].dataSchema}`,
    sequence: showSequence(sequence),
  });
  return `${envelope.slice(0, -1)},"data":${data}}`;
}
