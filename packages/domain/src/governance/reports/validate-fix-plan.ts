import { textOfMissing } from '../../access/model/records.ts';
import type { Failure } from '../../basics/result/failure.ts';
import { failureOf, type Issue } from '../../basics/result/issue.ts';
import { entitlementsOf, type SodIndex } from '../../sod/index.ts';
import type { FixPlanRequest } from './fix-plan.ts';

/** What a fix plan names and the tenant has. */
export interface FixPlanBase {
  readonly index: SodIndex;
  readonly policyIds: ReadonlySet<string>;
  readonly identityIds: ReadonlySet<string>;
}

/** Validates that all that a fix plan names exists (`ReferenceNotFound`). Null when valid. */
export function validateFixPlan(
  { policyIds, identityIds, protect }: Pick<FixPlanRequest, 'policyIds' | 'identityIds' | 'protect'>,
  base: FixPlanBase,
): Failure | null {
  const missing = (at: string, kind: string, id: string): Issue => ({
    type: 'ReferenceNotFound',
    at,
    text: textOfMissing(kind, id),
  });
  return failureOf([
    ...(policyIds ?? []).flatMap((id, at) =>
      base.policyIds.has(id) ? [] : missing(`policyIds[${at}]`, 'SOD_POLICY', id),
    ),
    ...(identityIds ?? []).flatMap((id, at) =>
      base.identityIds.has(id) ? [] : missing(`identityIds[${at}]`, 'IDENTITY', id),
    ),
    ...protect.flatMap((ref, at) =>
      entitlementsOf(base.index.catalogue, ref) !== undefined ? [] : missing(`protect[${at}]`, ref.type, ref.id),
    ),
  ]);
}
