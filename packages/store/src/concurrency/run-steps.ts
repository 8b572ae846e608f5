import { setImmediate } from 'node:timers/promises';
import { COMPILE_STEP_WORK, createWorkBudget, type Steps, type WorkBudget } from '@access-admin/domain';

/** Runs long work of the domain to its end, outside transactions; the event loop turns at each of its pauses. */
export async function runSteps<T>(work: (budget: WorkBudget) => Steps<T>): Promise<T> {
  const steps = work(createWorkBudget(COMPILE_STEP_WORK));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
