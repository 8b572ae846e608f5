/** A job under way, which can be stopped as when the worker stops. */
interface Stoppable {
  readonly ending: AbortController;
  readonly ended: Promise<void>;
}

/** The job of a process that runs alone, if there is one. */
export interface Alone {
  isUnderWay(): boolean;
  /** Stops all other jobs, and resolves when they have ended. Until the end nothing more is claimed. */
  begin(job: Stoppable): Promise<void>;
  /** Whether the job was alone until now. */
  end(job: Stoppable): boolean;
}

/** The work of one kind. */
interface ClaimingWork {
  underway(): readonly Stoppable[];
  /** Resolves when the jobs of the claim under way are started. */
  claimed(): Promise<void>;
}

export function createAlone(works: () => readonly ClaimingWork[]): Alone {
  let current: Stoppable | null = null;
  return {
    isUnderWay: () => current !== null,
    begin: async (job) => {
      current = job;
      await Promise.all(works().map((work) => work.claimed()));
      const others = works().flatMap((work) => work.underway().filter((other) => other !== job));
      for (const { ending } of others) ending.abort('stopped');
      await Promise.all(others.map(({ ended }) => ended));
    },
    end: (job) => {
      if (current !== job) return false;
      current = null;
      return true;
    },
  };
}
