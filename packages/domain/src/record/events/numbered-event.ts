import type { EventType } from './table.ts';

/** An event of a tenant as it is stored. */
export interface NumberedEvent {
  readonly sequence: number;
  /** A UUID. */
  readonly id: string;
  readonly type: EventType;
  /** The id of the resource; null where the event concerns no single resource of its kind. */
  readonly resourceId: string | null;
  /** ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  /** JSON text. */
  readonly data: string;
}

const SEQUENCE_DIGITS = 20;

/** A sequence as callers see it: decimal, padded with zeros, so that texts sort like numbers. */
export const showSequence = (sequence: number): string => String(sequence).padStart(SEQUENCE_DIGITS, '0');
