import { ASSIGNMENTS_MAX, expandAccess, predict, predictionJson, type SodIndex } from '@access-admin/domain';
import type { World } from '../world/create-world.ts';
import { PREDICTION_PARTS } from './prediction-text.ts';

/** The most access refs of a request. */
const REFS_MAX = 500;

/**
 * The longest work without a pause, in milliseconds, on a request for as much access as one may ask for, by an identity with as
 * many assignments as one may have: those that most policies name. Other requests are served between two pieces of an answer.
 */
export function longestPieceMs(index: SodIndex, { catalogue: { entitlements } }: World): number {
  const refs = entitlements.map(({ id }) => ({ type: 'ENTITLEMENT', id }) as const);
  const accessRefs = refs.slice(0, REFS_MAX);
  const held = expandAccess(index, refs.slice(REFS_MAX, REFS_MAX + ASSIGNMENTS_MAX)).entitlements;
  let longest = 0;
  let began = performance.now();
  const endPiece = () => {
    const now = performance.now();
    longest = Math.max(longest, now - began);
    began = now;
  };
  const prediction = predict(index, { held, timed: null }, { accessRefs, nowMs: 0 });
  if (!prediction.ok) throw new Error(prediction.failure.type);
  for (const _ of predictionJson(prediction.value, PREDICTION_PARTS)) endPiece();
  return longest;
}
