import type { LimitExceeded } from '../basics/result/failure.ts';
import { ok, type Result } from '../basics/result/result.ts';
import {
  type AccessRequest,
  type FoundViolations,
  findViolations,
  type Holder,
  type QuestionFailure,
  type SodIndex,
  settleQuestion,
  validateInstants,
} from '../sod/index.ts';
import { PREDICTED_CONTEXTS_MAX, PREDICTED_EXPLAINED_MAX, type SodInclude } from './check.ts';
import { createNamePending, type NamePending, type PendingReservation } from './pending.ts';

/** What a prediction is asked. */
export interface PredictionRequest extends AccessRequest {
  /** The live reservations that count as requested before, the oldest first; none if left out. */
  readonly pending?: readonly PendingReservation[] | undefined;
  /** The optional parts of the answer; none if left out. */
  readonly includes?: readonly SodInclude[];
  /** The most violations to show: 10,000, or 1,000 with optional parts, if left out. */
  readonly contextsMax?: number;
}

/** The violations that granting the requested access would cause, in numbers; `predictionJson` presents them. */
export interface Prediction extends FoundViolations {
  readonly index: SodIndex;
  /** The most violations to show, the first ones: the items of others are not looked up. */
  readonly contextsMax: number;
  /** Null where no reservation counts. */
  readonly namePending: NamePending | null;
}

/**
 * Predicts what granting access to a holder would violate: each policy that held and requested access violate together at an
 * instant that counts, where something gained contributes. Fails with a cause for each unresolved access ref, else for an
 * unknown identity, else where optional parts concern too many instants.
 */
export function predict(
  index: SodIndex,
  holder: Holder,
  request: PredictionRequest,
): Result<Prediction, QuestionFailure | LimitExceeded> {
  const settled = settleQuestion(index, holder, request);
  if (!settled.ok) return settled;
  const { includes = [], accessRefs, pending = [] } = request;
  const few = validateInstants(holder.timed, request, includes);
  if (!few.ok) return few;
  const contextsMax = request.contextsMax ?? (includes.length === 0 ? PREDICTED_CONTEXTS_MAX : PREDICTED_EXPLAINED_MAX);
  const detail = { shownMax: contextsMax, keepsRuns: includes.includes('via') || pending.length > 0 };
  const { starts, violations } = findViolations(index, settled.value, detail);
  const namePending = pending.length === 0 ? null : createNamePending(index, { accessRefs, pending }, starts);
  return ok({ index, starts, violations, contextsMax, namePending });
}
