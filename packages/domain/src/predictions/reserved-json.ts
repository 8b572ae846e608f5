import { utf8Length } from '../basics/result/utf8-length.ts';
import { basisMembers, type FoundPrediction, type PredictionParts, policyRefsJson } from './answer-json.ts';
import { PREDICTED_EXPLAINED_MAX } from './check.ts';
import { contextJson } from './context-json.ts';

/** The most bytes of the violations that are kept with a reservation, as JSON in UTF-8. */
export const RESERVED_CONTEXTS_BYTES_MAX = 262_144;

/** Whether a prediction has no violation but those that an approved exception covers. */
export const isAcceptable = (
  { violations, contextsMax }: FoundPrediction,
  coverage: PredictionParts['coverage'],
): boolean =>
  violations.length <= contextsMax &&
  violations.every((violation) => (coverage?.coverageOf(violation)?.exception ?? null) !== null);

/**
 * The JSON text of a prediction as it is kept with a reservation, piece by piece: the first violations, and where some are left
 * out their number and the names of all policies.
 */
export function* reservedPredictionJson(
  { index, violations, namePending }: FoundPrediction,
  { basis, coverage }: Pick<PredictionParts, 'basis' | 'coverage'>,
): Generator<string> {
  yield '{"violationContexts":[';
  let shown = 0;
  let bytes = 0;
  for (const violation of violations.slice(0, PREDICTED_EXPLAINED_MAX)) {
    const text = contextJson(index, violation, { coverage, explain: null, namePending });
    bytes += utf8Length(text) + 1;
    if (bytes > RESERVED_CONTEXTS_BYTES_MAX) break;
    yield shown === 0 ? text : `,${text}`;
    shown += 1;
  }
  const omitted = violations.length - shown;
  if (omitted > 0) {
    yield `],"violationCount":${violations.length},"omitted":${omitted},"violatedPolicies":[`;
    yield* policyRefsJson(
      index,
      violations.map(({ policy }) => policy),
    );
  }
  yield `]${basisMembers(basis)}}`;
}
