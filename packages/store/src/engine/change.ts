import type { Result, SignInGuard } from '@access-admin/domain';

/** A failure by type. */
export type Failed = { readonly type: string };

/** How a resource is changed. Both functions see the stored state, inside the transaction of the change. */
export interface Change<Shown, View, F extends Failed, G extends Failed> {
  /** Whether the caller knows the current state (`If-Match`); every state if left out. */
  readonly precondition?: (shown: Shown) => Result<unknown, G>;
  readonly decide: (view: View) => Result<Shown, F>;
}

/** How a resource is changed on which the sign-in of administrators depends. */
export interface GuardedChange<Shown, View, F extends Failed, G extends Failed> extends Change<Shown, View, F, G> {
  /** Refuses changes after which no administrator can sign in; refuses none if left out. */
  readonly guard?: SignInGuard;
}

/** How a resource is deleted; in every state what is left out allows it. */
export interface Removal<Shown, View, F extends Failed, G extends Failed> {
  readonly precondition?: (shown: Shown) => Result<unknown, G>;
  readonly decide?: (view: View) => Result<unknown, F>;
}

/** The precondition that every state meets. */
export const unconditional = (): Result<null, never> => ({ ok: true, value: null });

// Rights, references and conflicts are reported even to a caller with an outdated state.
const REPORTED_FIRST: readonly string[] = ['Forbidden', 'ReferenceNotFound', 'Conflict'];

/**
 * The result of a decision under a precondition. An outdated state is reported before a patch that cannot be applied to the
 * current one.
 */
export function underPrecondition<T, F extends Failed, G extends Failed>(
  precondition: Result<unknown, F>,
  decision: Result<T, G>,
): Result<T, F | G> {
  if (precondition.ok) return decision;
  return !decision.ok && REPORTED_FIRST.includes(decision.failure.type) ? decision : precondition;
}
