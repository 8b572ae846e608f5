import type { CoveringException, ViolationContext } from './violation-context.ts';

/** An approved exception of an identity, neither revoked nor void. Instants are ISO 8601 in UTC with milliseconds. */
export interface ApprovedException {
  readonly policyId: string;
  readonly id: string;
  readonly start: string;
  readonly end: string;
}

/** The exceptions that cover violations, by policy. */
export type CoveredPolicies = ReadonlyMap<string, CoveringException>;

/** The exceptions whose window contains an instant, of several for a policy the one that ends last. Null where there is none. */
export function coveredAt(exceptions: readonly ApprovedException[] | null, instant: string): CoveredPolicies | null {
  if (exceptions === null) return null;
  const covered = new Map<string, CoveringException>();
  for (const { policyId, id, start, end } of exceptions) {
    const known = covered.get(policyId);
    if (start <= instant && instant < end && (known === undefined || known.end < end))
      covered.set(policyId, { id, end });
  }
  return covered.size === 0 ? null : covered;
}

/** Adds to each covered violation the exception that covers it. */
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
