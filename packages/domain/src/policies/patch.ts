import { type PatchableField, type PatchRules, patchResource } from '../basics/json-patch/resource.ts';
import { ok } from '../basics/result/result.ts';
import type { ShownSodPolicy } from './presentation.ts';

const RULES = {
  id: 'readOnly',
  name: 'required',
  description: 'optional',
  state: 'required',
  level: 'required',
  type: 'readOnly',
  conflictingAccessCriteria: 'required',
  externalPolicyReference: 'optional',
  compensatingControls: 'optional',
  correctionAdvice: 'optional',
  tags: 'required',
  ownerRef: 'optional',
  attributes: 'optional',
  externalId: 'optional',
  scheduled: 'optional',
  violationOwnerAssignmentConfig: 'optional',
  secondaryOwnerRefs: 'optional',
  allowedControls: 'optional',
  policyQuery: 'readOnly',
  creatorId: 'readOnly',
  modifierId: 'readOnly',
  created: 'readOnly',
  modified: 'readOnly',
} as const satisfies PatchRules<ShownSodPolicy>;

/** A field that a patch of a policy may change. */
export type SodPolicyPatchField = PatchableField<typeof RULES>;

/** Patches of a policy as answers show it. The result still has to be validated like any new policy. */
export const { parse: parseSodPolicyPatch, apply: patchSodPolicy } = patchResource<ShownSodPolicy>(ok, RULES);
