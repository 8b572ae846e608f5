import {
  COUNT_WAIT_SECONDS_MAX,
  COUNTS_AT_ONCE_MAX,
  COUNTS_WAITING_MAX,
  EVENT_BYTES_MAX,
  EVENT_STREAMS_MAX,
  EXPLAINED_AT_ONCE_MAX,
  EXPLAINED_WAIT_SECONDS_MAX,
  EXPLAINED_WAITING_MAX,
  EXPORT_WAIT_SECONDS_MAX,
  EXPORTS_MAX,
  LARGE_BODIES_BYTES_MAX,
} from '@access-admin/contract';
import { createSemaphore, type Semaphore } from '@access-admin/scheduling';

/** What tenants share in one process. */
export interface ProcessSemaphores {
  /** Bytes of bodies of more than 64 KiB. */
  readonly bodies: Semaphore;
  /** Predictions under way that are explained, or take more than a piece of work. */
  readonly explaining: Semaphore;
  /** Counts of lists under way. */
  readonly counting: Semaphore;
  /** Exports under way, each of which may hold a snapshot of the database. */
  readonly exports: Semaphore;
  /** Streams of events, and reads that wait for events. */
  readonly eventReaders: Semaphore;
  /** Bytes of events that are in memory until their readers take them. */
  readonly eventBytes: Semaphore;
}

const BODIES_WAITING_MAX = 1_000;
/** Less than the time that is left for the rest of a body to arrive. */
const BODY_WAIT_MS_MAX = 5_000;
const EXPORTS_WAITING_MAX = 32;
/** A reader that takes nothing is cut off before. */
const EVENT_BYTES_WAIT_MS_MAX = 20_000;

/** `elapsed` is monotonic, in ms. */
export function createProcessSemaphores(elapsed: () => number): ProcessSemaphores {
  return {
    bodies: createSemaphore({
      capacity: LARGE_BODIES_BYTES_MAX,
      waitingMax: BODIES_WAITING_MAX,
      waitMsMax: BODY_WAIT_MS_MAX,
      refusesAtOnce: true,
      elapsed,
    }),
    explaining: createSemaphore({
      capacity: EXPLAINED_AT_ONCE_MAX,
      waitingMax: EXPLAINED_WAITING_MAX,
      waitMsMax: EXPLAINED_WAIT_SECONDS_MAX * 1000,
      elapsed,
    }),
    // A tenant may hold as much as it leaves free: one of three.
    counting: createSemaphore({
      capacity: COUNTS_AT_ONCE_MAX,
      waitingMax: COUNTS_WAITING_MAX,
      waitMsMax: COUNT_WAIT_SECONDS_MAX * 1000,
      elapsed,
    }),
    exports: createSemaphore({
      capacity: EXPORTS_MAX,
      waitingMax: EXPORTS_WAITING_MAX,
      waitMsMax: EXPORT_WAIT_SECONDS_MAX * 1000,
      elapsed,
    }),
    eventReaders: createSemaphore({ capacity: EVENT_STREAMS_MAX, waitingMax: 0, waitMsMax: 0, elapsed }),
    eventBytes: createSemaphore({
      capacity: EVENT_BYTES_MAX,
      waitingMax: 2 * EVENT_STREAMS_MAX,
      waitMsMax: EVENT_BYTES_WAIT_MS_MAX,
      elapsed,
    }),
  };
}
