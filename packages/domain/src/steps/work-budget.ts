/** Long work in steps: each yield is a pause, and the return value is the outcome. */
export type Steps<T> = Generator<undefined, T>;

/**
 * The work between two pauses. This package has no clock and counts units of work; one unit is about the time of looking
 * up an id or evaluating one side of a policy.
 */
export interface WorkBudget {
  readonly limit: number;
  /** Since the last pause. */
  spent: number;
}

/** One to two milliseconds of work: the limit for compiling and indexing. */
export const COMPILE_STEP_WORK = 0x2000;

/** Creates an unspent budget; without a limit there is no pause. */
export const createWorkBudget = (limit = Number.POSITIVE_INFINITY): WorkBudget => ({ limit, spent: 0 });

/** Counts work. Returns true when a pause is due, and then counts from 0 again. */
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
