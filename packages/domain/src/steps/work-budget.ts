/** Long work in steps: each yield is a pause, and the return value is the outcome. */
export type Steps<T> = Generator<undefined, T>;

/** The most that one piece of work may take from its beginning to its end. */
export interface WorkBounds {
  /** Work units, pauses included; unlimited if left out. */
  readonly workMax?: number;
  /** Bytes of results and of intermediate lists that are kept at the same time; unlimited if left out. */
  readonly bytesMax?: number;
}

/**
 * The work between two pauses, and the bounds of the work as a whole. This package has no clock and counts units of work;
 * one unit is about the time of looking up an id or evaluating one side of a policy. A deadline belongs to the adapter that
 * runs the steps: it ends them by `return()` between two steps, so that `finally` blocks release what they hold.
 */
export interface WorkBudget extends Required<WorkBounds> {
  /** Work units between two pauses. */
  readonly limit: number;
  /** Since the last pause. */
  spent: number;
  /** Up to the last pause. */
  spentBefore: number;
  /** Bytes that are kept now. */
  bytes: number;
  /** The most bytes that were kept at the same time. */
  bytesPeak: number;
}

/** One to two milliseconds of work: the limit for compiling and indexing. */
export const COMPILE_STEP_WORK = 0x2000;

/** Creates an unspent budget. Without a limit there is no pause, and bounds take effect at a pause only. */
export const createWorkBudget = (limit = Number.POSITIVE_INFINITY, bounds: WorkBounds = {}): WorkBudget => ({
  limit,
  workMax: bounds.workMax ?? Number.POSITIVE_INFINITY,
  bytesMax: bounds.bytesMax ?? Number.POSITIVE_INFINITY,
  spent: 0,
  spentBefore: 0,
  bytes: 0,
  bytesPeak: 0,
});

/** Counts work. Returns true when a pause is due, and then counts from 0 again. */
export function isPauseDue(budget: WorkBudget, work: number): boolean {
  budget.spent += work;
  if (budget.spent < budget.limit) return false;
  budget.spentBefore += budget.spent;
  budget.spent = 0;
  return true;
}

/** Counts bytes that are kept from now on. When they exceed the bound, the next `isPauseDue` is true, so that the work can be ended. */
export function takeBytes(budget: WorkBudget, bytes: number): void {
  budget.bytes += bytes;
  if (budget.bytes <= budget.bytesPeak) return;
  const isExceeded = budget.bytesPeak > budget.bytesMax;
  budget.bytesPeak = budget.bytes;
  if (!isExceeded && budget.bytes > budget.bytesMax && budget.spent < budget.limit) budget.spent = budget.limit;
}

/** Counts bytes that are not kept any more. The work has exceeded its bound even if it gives bytes back afterwards. */
export function releaseBytes(budget: WorkBudget, bytes: number): void {
  budget.bytes -= bytes;
}

/** Steps without any work. */
export function* finishedSteps<T>(value: T): Steps<T> {
  yield* [];
  return value;
}

/** Runs steps to their end without a pause. */
export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
