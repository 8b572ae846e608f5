import type { LimitExceeded } from '../basics/result/failure.ts';
import { ok, type Result } from '../basics/result/result.ts';
import { findAtInstant } from '../sod/evaluation/find-at-instant.ts';
import { findOverTime } from '../sod/evaluation/find-over-time.ts';
import { type AccessRequest, type Holder, type QuestionFailure, settleQuestion } from '../sod/evaluation/question.ts';
import { validateInstants } from '../sod/evaluation/validate-instants.ts';
import { type Violation, violationAtInstant, violationBeyond } from '../sod/evaluation/violation.ts';
import type { SodIndex } from '../sod/rulebook/sod-index.ts';
import { PREDICTED_CONTEXTS_MAX, PREDICTED_EXPLAINED_MAX, type SodInclude } from './check.ts';

/** What a prediction is asked. */
export interface PredictionRequest extends AccessRequest {
  /** The optional parts of the answer; none if left out. */
  readonly includes?: readonly SodInclude[];
  /** The most violations to show: 10,000, or 1,000 with optional parts, if left out. */
  readonly contextsMax?: number;
}

/** The violations that granting the requested access would cause, in numbers; `predictionJson` presents them. */
export interface Prediction {
  readonly index: SodIndex;
  /** When each interval begins in which access does not change, in milliseconds since 1970: one, unless windows count. */
  readonly starts: ArrayLike<number>;
  /**
   * The violations in order of policy ids; null for a policy that turns out not to be violated. Where windows count, each is
   * found when it is asked for. The items of those beyond `contextsMax` are not looked up.
   */
  readonly violations: Iterable<Violation | null>;
  /** The most violations to show, the first ones. */
  readonly contextsMax: number;
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
  const { includes = [] } = request;
  const few = validateInstants(holder.timed, request, includes);
  if (!few.ok) return few;
  const contextsMax = request.contextsMax ?? (includes.length === 0 ? PREDICTED_CONTEXTS_MAX : PREDICTED_EXPLAINED_MAX);
  const question = settled.value;
  if (question.kind === 'temporal') {
    const keepsRuns = includes.includes('via');
    const violations = { [Symbol.iterator]: () => findOverTime(index, question, keepsRuns) };
    return ok({ index, starts: question.starts, violations, contextsMax });
  }
  const { policies, access } = findAtInstant(index, question);
  const violations =
    policies.length === 0
      ? NONE
      : policies.map((policy, at) =>
          at < contextsMax ? violationAtInstant(index, policy, access) : violationBeyond(policy),
        );
  return ok({ index, starts: [question.ms], violations, contextsMax });
}

const NONE: readonly Violation[] = [];
