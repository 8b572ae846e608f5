/** Answers about passwords leave at multiples of this time after their request. */
export const ANSWER_STEP_MS = 500;

/** Delays the end of work, also a thrown one, to the next step, so that its time tells nothing of what was found. */
export type AtAnswerStep = <T>(work: () => Promise<T>) => Promise<T>;

/** `elapsed` is monotonic, in ms. */
export const createAtAnswerStep =
  (elapsed: () => number, wait: (ms: number) => Promise<void>): AtAnswerStep =>
  async (work) => {
    const startedMs = elapsed();
    try {
      return await work();
    } finally {
      await wait(ANSWER_STEP_MS - ((elapsed() - startedMs) % ANSWER_STEP_MS));
    }
  };
