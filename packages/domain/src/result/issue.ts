import type { Cause, Failure } from './failure.ts';

/** One thing found wrong while judging an input; it becomes a cause. */
export type Issue = Required<Cause>;

/** How many causes a failure names. */
export const CAUSES_MAX = 20;

/** Joins faults into one failure of the first one's type; null when there is none. Reads no further than the twentieth. */
export function failureOf(faults: Iterable<Issue>): Failure | null {
  let type: Failure['type'] | null = null;
  const causes: Cause[] = [];
  for (const fault of faults) {
    type ??= fault.type;
    causes.push(fault.type === type ? { at: fault.at, text: fault.text } : fault);
    if (causes.length === CAUSES_MAX) break;
  }
  return type === null ? null : { type, causes };
}

/** The causes of a failure, to be joined with others. */
export const issuesOf = (failure: Failure): Issue[] =>
  failure.causes.map((cause) => ({ type: failure.type, ...cause }));
