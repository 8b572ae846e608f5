import { policyAt, policyPlaceAt, type SodIndex, type Violation } from '../sod/index.ts';
import type { Basis } from './check.ts';
import { contextJson, createExplain, type Explanation } from './context-json.ts';
import type { ExceptionCoverage } from './coverage.ts';
import type { Prediction } from './predict.ts';
import type { Remediation } from './remediation.ts';

/** A prediction whose violations have all been found. */
export interface FoundPrediction extends Prediction {
  readonly violations: readonly Violation[];
}

/** What an answer shows beside the violations. */
export interface PredictionParts {
  readonly basis: Basis;
  readonly coverage: ExceptionCoverage | null;
  readonly remediation: Remediation | null;
  /** Is told the numbers of all violated policies, once they are known: before the last piece. */
  readonly onFound?: (policies: readonly number[]) => void;
}

/**
 * The JSON text of a prediction, a `ViolationPrediction` with its basis, piece by piece: one for each policy, which is empty
 * if nothing of it is shown. Beyond the violations to show it gives their number and the names of all policies.
 */
export const predictionJson = (prediction: Prediction, parts: PredictionParts): Generator<string> =>
  answerJson(prediction, parts, (violation) =>
    contextJson(prediction.index, violation, {
      coverage: parts.coverage,
      explain: null,
      namePending: prediction.namePending,
    }),
  );

/**
 * The JSON text of a prediction with the reasons for the items of its violations and the advice of their policies, piece by piece:
 * one for each policy.
 */
export function explainedPredictionJson(
  prediction: FoundPrediction,
  explanation: Explanation,
  parts: PredictionParts,
): Generator<string> {
  const explain = createExplain(prediction, explanation);
  const { index, namePending } = prediction;
  return answerJson(prediction, parts, (violation) =>
    contextJson(index, violation, { coverage: parts.coverage, explain, namePending }),
  );
}

function* answerJson(
  { index, violations, contextsMax }: Prediction,
  { basis, remediation, onFound }: PredictionParts,
  textOf: (violation: Violation) => string,
): Generator<string> {
  const policies: number[] = [];
  let opening = '{"violationContexts":[';
  for (const violation of violations) {
    if (violation !== null) policies.push(violation.policy);
    if (violation === null || policies.length > contextsMax) yield '';
    else {
      yield opening + textOf(violation);
      opening = ',';
    }
  }
  onFound?.(policies);
  // Most predictions find nothing, and are one piece.
  let closing = opening === ',' ? ']' : `${opening}]`;
  const omitted = policies.length - contextsMax;
  if (omitted > 0) {
    yield `${closing},"violationCount":${policies.length},"omitted":${omitted},"violatedPolicies":[`;
    yield* policyRefsJson(index, policies);
    closing = ']';
  }
  if (remediation !== null) closing += `,"remediation":${JSON.stringify(remediation)}`;
  yield `${closing}${basisMembers(basis)}}`;
}

/** The JSON text of policies by id and name, without the brackets of the array; a piece for each. */
export function* policyRefsJson(index: SodIndex, policies: Iterable<number>): Generator<string> {
  let separator = '';
  for (const policy of policies) {
    const { type, id, name } = policyAt(policyPlaceAt(index, policy));
    yield `${separator}${JSON.stringify({ type, id, name })}`;
    separator = ',';
  }
}

/** The members that tell the data of an answer, with a comma before each. */
export const basisMembers = ({ policySetVersion, asOf }: Basis): string =>
  `,"policySetVersion":${policySetVersion},"asOf":${JSON.stringify(asOf)}`;

/** The JSON text of one line of the answer to many requests: what comes before its body, and what comes after it. */
export const batchLineFrame = ({ index, status }: { readonly index: number; readonly status: number }) =>
  [`{"index":${index},"status":${status},"body":`, '}\n'] as const;

/** The id of a policy by its number in the index, as violations have it. */
export const policyIdAt = (index: SodIndex, policy: number): string => policyAt(policyPlaceAt(index, policy)).id;

/** The ids of the policies whose violations an answer shows. */
export const policyIdsOf = ({ index, violations, contextsMax }: FoundPrediction): readonly string[] =>
  violations.slice(0, contextsMax).map(({ policy }) => policyIdAt(index, policy));
