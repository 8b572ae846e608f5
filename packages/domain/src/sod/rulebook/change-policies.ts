import { type EvaluatedPolicy, isEnforced } from '../../policies/model.ts';
import { compileSodPolicies, findInTable } from './policy-table.ts';
import type { SodIndex } from './sod-index.ts';

/** Policies that were written or deleted; a policy in both is written. */
export interface PolicyChanges {
  readonly upserts: readonly EvaluatedPolicy[];
  /** Ids of policies, which need not exist. */
  readonly deletes: readonly string[];
}

/**
 * Makes the index of the changed rulebook; the given one does not change, and both share their catalogue. The work grows
 * with `changedPolicies` of the result, not with the rulebook: compile again when that is large.
 */
export function changePolicies(index: SodIndex, changes: PolicyChanges): SodIndex {
  const { catalogue, compiled, overlay } = index;
  const policiesById = new Map(overlay?.policiesById);
  const retired = new Set(overlay?.retired);
  const change = (id: string, policy: EvaluatedPolicy | null) => {
    const place = findInTable(compiled, id);
    if (place !== null) retired.add(place.number);
    if (place !== null || policy !== null) policiesById.set(id, policy);
    else policiesById.delete(id);
  };
  for (const id of changes.deletes) change(id, null);
  for (const policy of changes.upserts) change(policy.id, isEnforced(policy) ? policy : null);
  const changedPolicies = policiesById.size;
  const policyCount = compiled.policies.length - retired.size;
  if (changedPolicies === 0) return { catalogue, compiled, overlay: null, policyCount, changedPolicies };
  const policies = [...policiesById.values()].filter((policy) => policy !== null);
  const table = compileSodPolicies(policies, catalogue);
  const changed = { policiesById, table, retired };
  return { catalogue, compiled, overlay: changed, policyCount: policyCount + policies.length, changedPolicies };
}
