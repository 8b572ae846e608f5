import {
  COUNT_WAIT_SECONDS_MAX,
  COUNTS_AT_ONCE_MAX,
  COUNTS_WAITING_MAX,
  EXPLAINED_AT_ONCE_MAX,
  EXPLAINED_WAIT_SECONDS_MAX,
  EXPLAINED_WAITING_MAX,
  LARGE_BODIES_BYTES_MAX,
  REQUEST_WORK_SECONDS_MAX,
} from '@access-admin/contract';
import { createFairTurns, type TakeTurn } from '../event-loop/fair-turns.ts';
import { createPace, type Pace } from '../event-loop/pace.ts';
import { createWorkedTime } from '../event-loop/worked-time.ts';
import { createSharedRoom, type SharedRoom } from './shared-room.ts';

/** What tenants share in one process: the time of its event loop, and room. */
export interface ProcessRooms {
  readonly pace: Pace;
  /** The turns of long work. */
  readonly turn: TakeTurn;
  /** The turns of responses in pieces. */
  readonly pieceTurn: TakeTurn;
  /** Bytes of bodies of more than 64 KiB. */
  readonly bodies: SharedRoom;
  /** Places of predictions under way that are explained, or take more than a step of work. */
  readonly explaining: SharedRoom;
  /** Counts of lists under way. */
  readonly counting: SharedRoom;
}

const BODIES_WAITING_MAX = 1_000;
/** Less than the time that is left for the rest of a body to arrive. */
const BODY_WAIT_MS_MAX = 5_000;

/** `elapsed` is monotonic, in ms. */
export function createProcessRooms(elapsed: () => number): ProcessRooms {
  const worked = createWorkedTime();
  const turn = createFairTurns({ elapsed, worked });
  return {
    turn,
    pace: createPace({ turn, elapsed, workMsMax: REQUEST_WORK_SECONDS_MAX * 1000 }),
    pieceTurn: createFairTurns({ elapsed, worked, rests: true }),
    bodies: createSharedRoom({
      size: LARGE_BODIES_BYTES_MAX,
      waitingMax: BODIES_WAITING_MAX,
      waitMsMax: BODY_WAIT_MS_MAX,
      refusesAtOnce: true,
      elapsed,
    }),
    explaining: createSharedRoom({
      size: EXPLAINED_AT_ONCE_MAX,
      waitingMax: EXPLAINED_WAITING_MAX,
      waitMsMax: EXPLAINED_WAIT_SECONDS_MAX * 1000,
      elapsed,
      workedMs: worked.of,
    }),
    // A tenant may hold as much as it leaves free: one of three.
    counting: createSharedRoom({
      size: COUNTS_AT_ONCE_MAX,
      waitingMax: COUNTS_WAITING_MAX,
      waitMsMax: COUNT_WAIT_SECONDS_MAX * 1000,
      elapsed,
      workedMs: worked.of,
    }),
  };
}
