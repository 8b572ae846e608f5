import { type AccessRef, type Holder, predict, predictionJson, type SodIndex } from '@access-admin/domain';

/** What an answer has beside the violations. */
export const PREDICTION_PARTS = {
  basis: { policySetVersion: 1, asOf: new Date(0).toISOString() },
  coverage: null,
  remediation: null,
};

/** The text of a prediction as the API sends it; throws where that refuses. */
export function predictionText(index: SodIndex, holder: Holder, accessRefs: readonly AccessRef[]): string {
  const prediction = predict(index, holder, { accessRefs, nowMs: 0 });
  if (!prediction.ok) throw new Error(prediction.failure.type);
  let text = '';
  for (const piece of predictionJson(prediction.value, PREDICTION_PARTS)) text += piece;
  return text;
}
