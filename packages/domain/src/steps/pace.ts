/** How much work is done before the next pause: code that shares its thread and knows no clock counts what it does. */
export interface Pace {
  readonly workMax: number;
  work: number;
}

/** Counts work. True when it is time to pause; counting then begins anew. */
export function isPauseDue(pace: Pace, work: number): boolean {
  pace.work += work;
  if (pace.work < pace.workMax) return false;
  pace.work = 0;
  return true;
}

/** Runs steps to their end without a pause. */
export function runSteps<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same steps for what is written in pieces: each pause is an empty one. */
export function* inPieces<T>(steps: Generator<void, T>): Generator<string, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield '';
  }
}
