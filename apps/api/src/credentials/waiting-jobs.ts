/** A job that waits for a thread. */
interface Refusable {
  readonly reject: (error: Error) => void;
}

/** Jobs that wait, in their order. */
export interface WaitingJobs<T extends Refusable> {
  /** Adds a job; it is refused at once where too many wait, and later when it has waited for too long. */
  add(job: T): void;
  /** Takes the oldest one. */
  take(): T | undefined;
  refuseAll(reason: Error): void;
}

interface WaitingBounds {
  readonly waitingMax: number;
  readonly waitMsMax: number;
  /** The error of a job that is refused. */
  readonly busy: () => Error;
}

export function createWaitingJobs<T extends Refusable>({ waitingMax, waitMsMax, busy }: WaitingBounds): WaitingJobs<T> {
  // In the order in which they were added.
  const timers = new Map<T, NodeJS.Timeout>();
  const remove = (job: T) => {
    clearTimeout(timers.get(job));
    timers.delete(job);
  };
  return {
    add: (job) => {
      if (timers.size >= waitingMax) return job.reject(busy());
      const refuse = () => {
        timers.delete(job);
        job.reject(busy());
      };
      timers.set(job, setTimeout(refuse, waitMsMax));
    },
    take: () => {
      const [job] = timers.keys();
      if (job !== undefined) remove(job);
      return job;
    },
    refuseAll: (reason) => {
      for (const job of timers.keys()) {
        remove(job);
        job.reject(reason);
      }
    },
  };
}
