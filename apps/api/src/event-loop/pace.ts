import { CallerLeft, DeadlineExceeded } from './deadline.ts';
import type { TakeTurn } from './fair-turns.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** The request that long work is done for. */
export interface Job {
  readonly tenant: string;
  /** When the work ends at the latest, in ms of the monotonic clock. */
  readonly deadlineMs: number;
  /** Aborted when the caller leaves; null for work that several callers share. */
  readonly left: AbortSignal | null;
}

/**
 * Runs long work with one step of all of it in each turn of the event loop: however much long work there is, a short request
 * waits for one step at most. Work ends between two steps when its deadline has come or its caller has left.
 */
export interface Pace {
  /** Begins the work on a request that has been read: its time counts from now on. */
  begin(tenant: string, left: AbortSignal | null): Job;
  /** Waits for a turn. Rejects if the work is to end. */
  turn(job: Job): Promise<void>;
  /** Throws if the work is to end. */
  check(job: Job): void;
  /** Monotonic, in ms. */
  elapsed(): number;
  /** The time that is left for the work, in ms. */
  remainingMs(job: Job): number;
  /** For work in many short pieces: waits for a turn whenever the pieces since the last one have taken long enough. */
  breather(tenant: string): () => MaybePromise<void>;
  /** For work on plain data in many short pieces: as `breather`, and rejects if the work is to end. */
  pauses(job: Job): () => MaybePromise<void>;
  /**
   * Joins pieces of a text to chunks, and pauses between pieces. No piece is made ahead of a slow reader. Once the first chunk
   * exists, only its reader decides how long it takes.
   */
  chunks(job: Job, pieces: Iterable<string>): AsyncGenerator<string>;
}

export interface PaceDeps {
  readonly turn: TakeTurn;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly workMsMax: number;
}

const CHUNK_LENGTH = 65_536;
const PIECES_MS_MAX = 2;

export function createPace({ turn: takeTurn, elapsed, workMsMax }: PaceDeps): Pace {
  const check = ({ deadlineMs, left }: Job) => {
    if (left?.aborted) throw new CallerLeft();
    if (elapsed() >= deadlineMs) throw new DeadlineExceeded();
  };
  const turn = async (job: Job) => {
    await takeTurn(job.tenant);
    check(job);
  };
  const pausesBy = (takeOne: () => Promise<void>) => {
    let sinceMs = elapsed();
    return () => {
      if (elapsed() - sinceMs < PIECES_MS_MAX) return;
      return takeOne().then(() => {
        sinceMs = elapsed();
      });
    };
  };
  const pauses = (job: Job) => pausesBy(() => turn(job));
  async function* chunks(job: Job, pieces: Iterable<string>): AsyncGenerator<string> {
    check(job);
    let pause = pauses(job);
    let text = '';
    for (const piece of pieces) {
      text += piece;
      if (text.length >= CHUNK_LENGTH) {
        yield text;
        text = '';
        pause = pauses({ ...job, deadlineMs: Number.POSITIVE_INFINITY });
      }
      const waiting = pause();
      // Awaiting nothing would take longer than most pieces.
      if (waiting !== undefined) await waiting;
    }
    if (text !== '') yield text;
  }
  return {
    begin: (tenant, left) => ({ tenant, left, deadlineMs: elapsed() + workMsMax }),
    turn,
    check,
    elapsed,
    remainingMs: ({ deadlineMs }) => Math.max(0, deadlineMs - elapsed()),
    breather: (tenant) => pausesBy(() => takeTurn(tenant)),
    pauses,
    chunks,
  };
}
