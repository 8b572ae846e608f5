import { type EventType, type NumberedEvent, showSequence, WEBHOOK_TEST_TYPE } from '@access-admin/domain';
import { EVENT_DATA_SCHEMAS, resourcePath, subjectOf } from './resources.ts';

/** The `type` of an event on the wire. */
export const wireTypeOf = (type: EventType | typeof WEBHOOK_TEST_TYPE): string => `org.access-admin.${type}.v1`;

/** An event as a CloudEvent 1.0 in structured JSON. `source` is the base address of the tenant. */
export function writeCloudEvent(event: NumberedEvent, source: string): string {
  const { id, type, resourceId, time, sequence, data } = event;
  const envelope = JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type: wireTypeOf(type),
    subject: subjectOf(type, resourceId),
    time,
    datacontenttype: 'application/json',
    dataschema: `${source}/openapi.json#/components/schemas/${EVENT_DATA_SCHEMAS[type]}`,
    sequence: showSequence(sequence),
  });
  return withData(envelope, data);
}

/** An event that a caller sends to a webhook to try it. */
export interface TestEvent {
  /** A UUID. */
  readonly id: string;
  readonly webhookId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  /** JSON text. */
  readonly data: string;
}

/** A test event as a CloudEvent 1.0. It has no sequence: it is not among the events of the tenant. */
export function writeTestEvent({ id, webhookId, time, data }: TestEvent, source: string): string {
  const envelope = JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type: wireTypeOf(WEBHOOK_TEST_TYPE),
    subject: resourcePath('WEBHOOK', webhookId),
    time,
    datacontenttype: 'application/json',
  });
  return withData(envelope, data);
}

const withData = (envelope: string, data: string): string => `${envelope.slice(0, -1)},"data":${data}}`;
