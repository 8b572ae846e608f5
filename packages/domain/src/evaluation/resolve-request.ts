import { type AccessRef, isResourceId } from '../access-model/records.ts';
import { type Cause, failure, type NotFound, type ReferenceNotFound } from '../result/failure.ts';
import { fail, ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { type Entitlements, entitlementsOf } from './expand-access.ts';

/** The failures of `predict` without its answer. */
export function validateAccessRefs(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<null, ReferenceNotFound | NotFound> {
  const request = resolveRequest(index, held, accessRefs);
  return request.ok ? ok(null) : request;
}

/** What there is to predict for. */
export interface ResolvedRequest {
  readonly held: Uint32Array;
  /** The entitlements of each access ref. */
  readonly parts: readonly Entitlements[];
}

/** Looks up what is requested. Fails as `predict` does. */
export function resolveRequest(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<ResolvedRequest, ReferenceNotFound | NotFound> {
  const parts: Entitlements[] = [];
  for (const ref of accessRefs) {
    const part = entitlementsOf(index.catalogue, ref);
    if (part !== undefined) parts.push(part);
  }
  if (parts.length < accessRefs.length) {
    return fail({ type: 'ReferenceNotFound', causes: causesOf(index, accessRefs) });
  }
  if (held === null) return fail(failure('NotFound', 'identityId', 'there is no such identity'));
  return ok({ held, parts });
}

function causesOf({ catalogue }: SodIndex, accessRefs: readonly AccessRef[]): readonly Cause[] {
  return accessRefs.flatMap((ref, at) => {
    if (entitlementsOf(catalogue, ref) !== undefined) return [];
    const text = isResourceId(ref.id) ? `there is no ${ref.type} ${ref.id}` : `is not the id of any ${ref.type}`;
    return [{ at: `accessRefs[${at}]`, text }];
  });
}
