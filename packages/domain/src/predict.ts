import { type AccessRef, isResourceId } from './access-model.ts';
import { entitlementsOf, expandAccess } from './expand-access.ts';
import { type Cause, failure, type NotFound, type ReferenceNotFound } from './failure.ts';
import { predictViolations, type ViolationPrediction } from './predict-violations.ts';
import { fail, ok, type Result } from './result.ts';
import type { SodIndex } from './sod-index.ts';

/**
 * Answers start-predict-sod-violations-v1. `held` is the identity's effective access in numbers of the index, null when
 * there is no such identity. Fails with a cause for each unknown access ref, then for the identity.
 */
export function predict(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<ViolationPrediction, ReferenceNotFound | NotFound> {
  const { entitlements, unknown } = expandAccess(index, accessRefs);
  if (unknown.length > 0) return fail({ type: 'ReferenceNotFound', causes: causesOf(index, accessRefs) });
  if (held === null) return fail(failure('NotFound', 'identityId', 'there is no such identity'));
  return ok({ violationContexts: predictViolations(index, held, entitlements) });
}

function causesOf(index: SodIndex, accessRefs: readonly AccessRef[]): readonly Cause[] {
  return accessRefs.flatMap((ref, at) => {
    if (entitlementsOf(index, ref) !== undefined) return [];
    const text = isResourceId(ref.id) ? `there is no ${ref.type} ${ref.id}` : `is not the id of any ${ref.type}`;
    return [{ at: `accessRefs[${at}]`, text }];
  });
}
