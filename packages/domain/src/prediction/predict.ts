import type { AccessRef } from '../access-model/records.ts';
import { uniteEntitlements } from '../evaluation/expand-access.ts';
import { resolveRequest } from '../evaluation/resolve-request.ts';
import type { NotFound, ReferenceNotFound } from '../result/failure.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { predictViolations, type ViolationPrediction } from './violation-context.ts';

/**
 * Answers start-predict-sod-violations-v1. `held` is the identity's effective access in numbers of the index, null when
 * there is no such identity. Fails with a cause for each unknown access ref, then for the identity.
 */
export function predict(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<ViolationPrediction, ReferenceNotFound | NotFound> {
  const request = resolveRequest(index, held, accessRefs);
  if (!request.ok) return request;
  const requested = uniteEntitlements(index.catalogue, request.value.parts);
  return ok({ violationContexts: predictViolations(index, request.value.held, requested) });
}
