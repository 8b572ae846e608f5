import * as domain from '../src/index.ts';

// Predictions and checks as tests read them: without their basis, as text or as objects.

type Held = Uint32Array | null;
type Outcome<T> = domain.Result<T, PredictFailure>;
type PredictFailure = Extract<ReturnType<typeof domain.predict>, { readonly ok: false }>['failure'];

export const CHECK_BASIS = { policySetVersion: 1, asOf: '2026-01-01T00:00:00.000Z' };
const BASIS_TEXT = JSON.stringify(CHECK_BASIS).slice(1, -1);

const PARTS = { basis: CHECK_BASIS, coverage: null, remediation: null };

/** Access that is held at any time. */
export const always = (held: Held): domain.Holder => ({ held, timed: null });

/** The pieces of an answer, the last of which is the basis, as one text without it. */
export const withoutBasis = (pieces: Iterable<string>): string => [...pieces].join('').replace(`,${BASIS_TEXT}`, '');

/** The text of a prediction. */
export function predictionText(
  index: domain.SodIndex,
  holder: domain.Holder,
  request: domain.PredictionRequest,
  parts: Partial<domain.PredictionParts> = {},
): Outcome<string> {
  const found = domain.predict(index, holder, request);
  if (!found.ok) return found;
  return domain.ok(withoutBasis(domain.predictionJson(found.value, { ...PARTS, ...parts })));
}

/** A prediction as an object. */
export function predictionOf(
  index: domain.SodIndex,
  holder: domain.Holder,
  request: domain.PredictionRequest,
): Outcome<domain.ViolationPrediction> {
  const text = predictionText(index, holder, request);
  return text.ok ? domain.ok(JSON.parse(text.value)) : text;
}

/** The text of a prediction for access without windows. */
export const predictJson = (
  index: domain.SodIndex,
  held: Held,
  accessRefs: readonly domain.AccessRef[],
): Outcome<string> => predictionText(index, always(held), { accessRefs, nowMs: 0 });

/** A prediction for access without windows, as an object. */
export const predict = (index: domain.SodIndex, held: Held, accessRefs: readonly domain.AccessRef[]) =>
  predictionOf(index, always(held), { accessRefs, nowMs: 0 });

/** The violations that access without windows would cause; throws where that is refused. */
export function contextsOf(
  index: domain.SodIndex,
  held: Uint32Array,
  accessRefs: readonly domain.AccessRef[],
): readonly domain.ViolationContext[] {
  const prediction = predict(index, held, accessRefs);
  if (!prediction.ok) throw new Error(prediction.failure.type);
  return prediction.value.violationContexts;
}

/** A prediction of which all violations have been found. */
export const findAll = (prediction: domain.Prediction): domain.FoundPrediction => ({
  ...prediction,
  violations: [...prediction.violations].filter((violation) => violation !== null),
});

/** The text of an explained prediction, and its violated policies. The limit of instants is lifted. */
export function explainedText(
  index: domain.SodIndex,
  holder: domain.Holder,
  request: domain.PredictionRequest & { readonly explanation: domain.Explanation },
): Outcome<string> {
  const found = domain.predict(index, holder, { includes: ['via'], ...request });
  if (!found.ok) return found;
  return domain.ok(withoutBasis(domain.explainedPredictionJson(findAll(found.value), request.explanation, PARTS)));
}

/** The question of a check, and what its result may show. */
export interface CheckQuestion {
  readonly index: domain.SodIndex;
  readonly held: Held;
  readonly timed?: domain.Holder['timed'];
  readonly check: domain.IdentityWithNewAccess;
  readonly nowMs?: number;
  readonly coverage?: domain.ExceptionCoverage | null;
  readonly explanation?: domain.Explanation;
  readonly includes?: readonly domain.SodInclude[];
  readonly bounds?: domain.ResultBounds;
}

/** A check that is concluded, with its result as text. */
export function concludeCheckAsText(question: CheckQuestion): domain.CheckOutcome {
  const { index, held, timed = null, nowMs = 0, bounds, coverage = null, check, explanation = null } = question;
  const { includes = explanation === null ? [] : ['via'] } = question;
  const found = domain.predict(
    index,
    { held, timed },
    { ...check, nowMs, includes, contextsMax: domain.CHECK_CONTEXTS_MAX },
  );
  if (!found.ok)
    return domain.concludeWithError(check, domain.messageOfFailed(index, check, found.failure), CHECK_BASIS);
  const prediction = findAll(found.value);
  const states =
    explanation === null || prediction.violations.length === 0
      ? []
      : domain.accessStatesOf(explanation, { at: check.at, nowMs });
  const concluded = domain.concludeCheck(
    check,
    prediction,
    {
      basis: CHECK_BASIS,
      coverage,
      explanation: includes.includes('via') && prediction.violations.length > 0 ? explanation : null,
      remediation: includes.includes('remediation') ? domain.remediate(index, states) : null,
    },
    bounds,
  );
  const { state, result, eventResult } = concluded;
  return {
    state,
    result: [...result].join(''),
    ...(eventResult !== undefined && { eventResult: [...eventResult].join('') }),
  };
}

/** A check that is concluded. */
export function concludeCheck(question: CheckQuestion): {
  readonly state: string;
  readonly result: Omit<domain.SodCheckResult, keyof domain.Basis>;
} {
  const { state, result } = concludeCheckAsText(question);
  const { policySetVersion: _, asOf: __, ...rest } = JSON.parse(result) as domain.SodCheckResult;
  return { state, result: rest };
}
