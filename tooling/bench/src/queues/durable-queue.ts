/** The data of one check, the same for every queue. `number` is unique in a round. */
export interface Job {
  readonly number: number;
  readonly requestId: string;
  readonly identityId: string;
  readonly accessRefs: readonly { readonly type: 'ENTITLEMENT'; readonly id: string }[];
}

/** A queue of jobs that survive a power failure once stored. */
export interface DurableQueue {
  readonly name: string;
  /** Resolves once the job is durably stored. */
  enqueue(job: Job): Promise<unknown>;
  /** Processes all enqueued jobs and calls back with the number of each; resolves once the last result is durable. */
  drain(done: (number: number) => void): Promise<void>;
}

export const BATCH = 100;
