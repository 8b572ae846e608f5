import type { Cause, Failure } from './failure.ts';

/** One thing that is wrong with an input; it becomes a cause of a failure. */
export type Issue = Required<Cause>;

/** The most causes that a failure names. */
export const CAUSES_MAX = 20;

/** Joins issues to one failure, of the type of the first one; null when there is none. Reads at most 20 of them. */
export function failureOf(issues: Iterable<Issue>): Failure | null {
  let type: Failure['type'] | null = null;
  const causes: Cause[] = [];
  for (const issue of issues) {
    type ??= issue.type;
    causes.push(issue.type === type ? { at: issue.at, text: issue.text } : issue);
    if (causes.length === CAUSES_MAX) break;
  }
  return type === null ? null : { type, causes };
}

/** The causes of a failure as issues, to be joined with others. */
export const issuesOf = (failure: Failure): Issue[] =>
  failure.causes.map((cause) => ({ type: failure.type, ...cause }));
