/** What a check carries, the same for every queue. `number` tells the jobs of a round apart. */
export interface Job {
  readonly number: number;
  readonly requestId: string;
  readonly identityId: string;
  readonly accessRefs: readonly { readonly type: 'ENTITLEMENT'; readonly id: string }[];
}

/** A queue whose jobs outlive a power cut. */
export interface DurableQueue {
  readonly name: string;
  /** Resolves once the job is durably stored. */
  enqueue(job: Job): Promise<unknown>;
  /** Works off all that was enqueued; calls back with the number of each job done. Resolves once the last is durably done. */
  drain(done: (number: number) => void): Promise<void>;
}

export const BATCH = 100;
