import type { Meter } from './meter.ts';
import type { YieldIfDue } from './yield.ts';

export interface DrainDeps {
  readonly meter: Meter;
  readonly yieldIfDue: YieldIfDue;
}

interface Draining {
  /** Ends the work between two steps. */
  readonly signal: AbortSignal;
  /** The most work, in milliseconds. */
  readonly workMsMax?: number;
  /** Is told between two steps how long the work has taken; false ends it. */
  onYield?(workMs: number): boolean;
}

/** What became of steps, and how long they have worked, in milliseconds. */
export type Drained<T> = { readonly workMs: number } & (
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'stopped' | 'tooLong' }
);

/** Runs steps to their end, and yields between them. */
export async function drain<T>(
  steps: AsyncGenerator<unknown, T>,
  { meter, yieldIfDue }: DrainDeps,
  { signal, workMsMax = Number.POSITIVE_INFINITY, onYield = () => true }: Draining,
): Promise<Drained<T>> {
  let workMs = 0;
  for (;;) {
    const endPiece = meter.begin();
    const step = await steps.next();
    workMs += endPiece();
    if (step.done === true) return { state: 'done', value: step.value, workMs };
    const goesOn = onYield(workMs);
    await yieldIfDue();
    const isStopped = !goesOn || signal.aborted;
    if (!isStopped && workMs <= workMsMax) continue;
    await steps.return(undefined as never);
    return { state: isStopped ? 'stopped' : 'tooLong', workMs };
  }
}
