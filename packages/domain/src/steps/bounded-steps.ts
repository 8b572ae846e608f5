import { fail, ok, type Result } from '../result/result.ts';
import type { Steps, WorkBudget } from './work-budget.ts';

/** Work was ended because it would take more than its budget allows. It would happen again: repeating does not help. */
export interface BoundExceeded {
  readonly type: 'BoundExceeded';
  readonly bound: 'WORK' | 'BYTES';
  /** The bound: work units or bytes. */
  readonly most: number;
}

/** The bound that work has exceeded; null if it is within all of them. */
export function exceededBound(budget: WorkBudget): BoundExceeded | null {
  const { bytesPeak, bytesMax, spent, spentBefore, workMax } = budget;
  if (bytesPeak > bytesMax) return { type: 'BoundExceeded', bound: 'BYTES', most: bytesMax };
  return spentBefore + spent > workMax ? { type: 'BoundExceeded', bound: 'WORK', most: workMax } : null;
}

/**
 * Runs steps, with their pauses, until they end or their budget is exceeded. Then they are ended by `return()` at a pause,
 * and the failure names the bound.
 */
export function* withinBounds<T>(steps: Steps<T>, budget: WorkBudget): Steps<Result<T, BoundExceeded>> {
  const running: Iterator<undefined, T> = steps;
  try {
    for (;;) {
      const step = running.next();
      const exceeded = exceededBound(budget);
      if (exceeded !== null) return fail(exceeded);
      if (step.done === true) return ok(step.value);
      yield;
    }
  } finally {
    running.return?.();
  }
}
