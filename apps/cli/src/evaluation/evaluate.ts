import {
  type Catalogue,
  compileSodIndex,
  expandAssignments,
  type Holder,
  type Prediction,
  predict,
  predictionJson,
  type SodPolicy,
  type TimedAccessRef,
  type ViolationContext,
} from '@access-admin/domain';

/** Which instants count: every one from now on, or one. */
export interface EvaluationTime {
  readonly nowMs: number;
  /** ISO 8601 with an offset. */
  readonly at?: string | null;
}

/** A policy that access violates. */
export type ViolatedPolicy = ViolationContext;

/** Evaluates access by the rules of the service. */
export interface Evaluator {
  /** What access violates, in order of the policy ids. Throws an `UnknownAccess` for refs that the catalogue lacks. */
  violatedBy(access: readonly TimedAccessRef[], time: EvaluationTime): readonly ViolatedPolicy[];
  /** The policies that a request would violate beside the access that an identity holds: newly gained access takes part in each. */
  causedBy(
    access: readonly TimedAccessRef[],
    request: readonly TimedAccessRef[],
    time: EvaluationTime,
  ): readonly ViolatedPolicy[];
}

/** Access refs that the catalogue lacks. */
export class UnknownAccess extends Error {
  override readonly name = 'UnknownAccess';
}

const NOTHING: Holder = { held: new Uint32Array(), timed: null };

/**
 * Compiles policies and a catalogue. Held access violates the policies that it would violate if an identity without access
 * requested all of it. Beside a request, held refs that the catalogue lacks are ignored.
 */
export function createEvaluator(policies: readonly SodPolicy[], catalogue: Catalogue): Evaluator {
  const index = compileSodIndex(policies, catalogue);
  const answer = (holder: Holder, accessRefs: readonly TimedAccessRef[], { nowMs, at = null }: EvaluationTime) => {
    if (accessRefs.length === 0) return [];
    const predicted = predict(index, holder, { accessRefs, at, nowMs, contextsMax: Number.POSITIVE_INFINITY });
    if (predicted.ok) return present(predicted.value);
    throw new UnknownAccess(predicted.failure.causes.map(({ at: path, text }) => `${path}: ${text}`).join('; '));
  };
  return {
    violatedBy: (access, time) => answer(NOTHING, access, time),
    causedBy: (access, request, time) => answer(expandAssignments(index, access), request, time),
  };
}

/** The data of an answer, which a file does not have. */
const PARTS = { basis: { policySetVersion: 0, asOf: '' }, coverage: null, remediation: null };

/** The violations as the service presents them. */
function present(prediction: Prediction): readonly ViolatedPolicy[] {
  const violations = [...prediction.violations].filter((violation) => violation !== null);
  if (violations.length === 0) return [];
  const text = [...predictionJson({ ...prediction, violations }, PARTS)].join('');
  const { violationContexts }: { readonly violationContexts: readonly ViolatedPolicy[] } = JSON.parse(text);
  return violationContexts;
}
