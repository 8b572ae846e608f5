import { type Failure, type Steps, type WorkBudget, withinBounds } from '@access-admin/domain';

/** Thrown where an answer takes more memory than it may. */
export class MemoryExceeded extends Error {
  override readonly name = 'MemoryExceeded';
  /** The refusal of the request, as long as nothing has been sent. */
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('memory');
    this.failure = failure;
  }
}

/** The same steps, which throw when they exceed their budget. */
export function* throwBeyondBounds(steps: Steps<unknown>, budget: WorkBudget, failure: Failure): Steps<void> {
  const done = yield* withinBounds(steps, budget);
  if (!done.ok) throw new MemoryExceeded(failure);
}
