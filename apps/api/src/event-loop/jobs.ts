import type { Scheduler } from '@access-admin/scheduling';
import { CallerLeft, DeadlineExceeded } from './deadline.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** The work on a request, which may be long. */
export interface Job {
  readonly tenant: string;
  /** When the work ends at the latest, in ms of the monotonic clock. */
  readonly deadlineMs: number;
  /** Aborted when the caller leaves; null for work that several callers share. */
  readonly left: AbortSignal | null;
}

/** Is awaited between pieces of long work, each of a millisecond or two. Rejects when the work is to end. */
export type Pause = () => MaybePromise<void>;

/** Begins and ends long work. It ends between two pieces when its deadline has come or its caller has left. */
export interface Jobs {
  /** Begins the work on a request that has been read: its time counts from now on. */
  begin(tenant: string, left: AbortSignal | null): Job;
  /** Throws if the work is to end. */
  check(job: Job): void;
  /** Lets the event loop turn. Rejects if the work is to end. */
  yield(job: Job): Promise<void>;
  /** Lets the event loop turn if it has not for some milliseconds. */
  yieldIfDue(tenant: string): MaybePromise<void>;
  /** The pauses of a job: `yieldIfDue` that rejects if the work is to end. */
  pauseOf(job: Job): Pause;
  /** Monotonic, in ms. */
  elapsed(): number;
  /** The time that is left for the work, in ms. */
  remainingMs(job: Job): number;
}

export interface JobsDeps {
  readonly scheduler: Scheduler;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly workMsMax: number;
}

export function createJobs({ scheduler, elapsed, workMsMax }: JobsDeps): Jobs {
  const check = ({ deadlineMs, left }: Job) => {
    if (left?.aborted) throw new CallerLeft();
    if (elapsed() >= deadlineMs) throw new DeadlineExceeded();
  };
  const pauseOf = (job: Job) => () => scheduler.yieldIfDue(job.tenant)?.then(() => check(job));
  return {
    begin: (tenant, left) => ({ tenant, left, deadlineMs: elapsed() + workMsMax }),
    check,
    yield: async (job) => {
      await scheduler.yield(job.tenant);
      check(job);
    },
    yieldIfDue: (tenant) => scheduler.yieldIfDue(tenant),
    pauseOf,
    elapsed,
    remainingMs: ({ deadlineMs }) => Math.max(0, deadlineMs - elapsed()),
  };
}
