/** Long work as steps: each yield is a pause, the outcome comes in the end. */
export type Steps<T> = Generator<void, T>;

/**
 * How much work is done between two pauses: this package knows no clock and counts what it does. A unit is about the time
 * that it takes to look up an id or to evaluate one side of a policy.
 */
export interface WorkBudget {
  readonly limit: number;
  /** Since the last pause. */
  spent: number;
}

/** A budget of which nothing is spent; without a limit there is never a pause. */
export const createWorkBudget = (limit = Number.POSITIVE_INFINITY): WorkBudget => ({ limit, spent: 0 });

/** Counts work. True when it is time to pause; counting then begins anew. */
export function isPauseDue(budget: WorkBudget, work: number): boolean {
  budget.spent += work;
  if (budget.spent < budget.limit) return false;
  budget.spent = 0;
  return true;
}

/** Runs steps to their end without a pause. */
export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
