import {
  type AccessRef,
  ok,
  predict,
  predictionJson,
  type Result,
  type SodIndex,
  type ViolationContext,
} from '@access-admin/domain';

const PARTS = { basis: { policySetVersion: 0, asOf: '' }, coverage: null, remediation: null };

/** The violations that granting access would cause, as answers show them; fails as a prediction does. */
export function predictedContexts(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<readonly ViolationContext[], { readonly type: string }> {
  const prediction = predict(index, { held, timed: null }, { accessRefs, nowMs: 0 });
  if (!prediction.ok) return prediction;
  return ok(JSON.parse([...predictionJson(prediction.value, PARTS)].join('')).violationContexts);
}
