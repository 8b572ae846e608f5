import type { CoveringException } from './covering-exception.ts';
import type { ViolationContext } from './violation-context.ts';

/** What an identity has an approved exception for, neither revoked nor void. Moments are ISO 8601 in UTC with milliseconds. */
export interface ApprovedException {
  readonly policyId: string;
  readonly id: string;
  readonly start: string;
  readonly end: string;
}

/** The exceptions that cover violations, by policy. */
export type CoveredPolicies = ReadonlyMap<string, CoveringException>;

/** What covers violations at a moment: exceptions in whose window it is, of several the one that ends last. Null where nothing does. */
export function coveredAt(exceptions: readonly ApprovedException[] | null, moment: string): CoveredPolicies | null {
  if (exceptions === null) return null;
  const covered = new Map<string, CoveringException>();
  for (const { policyId, id, start, end } of exceptions) {
    const known = covered.get(policyId);
    if (start <= moment && moment < end && (known === undefined || known.end < end)) covered.set(policyId, { id, end });
  }
  return covered.size === 0 ? null : covered;
}

/** Violations, those that are covered with the exception that covers them. */
export const coverViolations = (
  contexts: readonly ViolationContext[],
  covered: CoveredPolicies | null,
): readonly ViolationContext[] =>
  covered === null
    ? contexts
    : contexts.map((context) => {
        const exception = covered.get(context.policy.id);
        return exception === undefined ? context : { ...context, exception };
      });
