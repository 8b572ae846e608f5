import { applyPatch, parseAllowedPatch } from '../../basics/json-patch/apply.ts';
import type { Patch } from '../../basics/json-patch/parse.ts';
import type { JsonPointer } from '../../basics/json-patch/pointer.ts';
import { type Failure, failure } from '../../basics/result/failure.ts';
import { fail, type Result } from '../../basics/result/result.ts';
import type { SodPolicy } from './model.ts';
import { completeShown, type ShownSodPolicy } from './presentation.ts';

/** Parses a patch of a policy: its shape, and that it touches no read-only property. Needs no policy. */
export const parseSodPolicyPatch = (body: unknown): Result<Patch, Failure> =>
  parseAllowedPatch(body, { isAllowed: isPatchable });

/**
 * Applies a patch to a policy as answers show it. The patch must not touch `id`, `type`, `created`, `modified`, `creatorId`
 * and `modifierId`. What an answer leaves out is null to it, so that it can be replaced. Fails as
 * `applyPatch` does, and with `IllegalValue` when it removes a property that cannot be null. The result still has to be
 * validated like any new policy.
 */
export function patchSodPolicy(shown: ShownSodPolicy, patch: Patch): Result<unknown, Failure> {
  const patched = applyPatch(completeShown(shown), patch, { isAllowed: isPatchable });
  const after = patched.ok ? Object(patched.value) : null;
  const removed = NEVER_NULL.find((name) => after !== null && !Object.hasOwn(after, name));
  return removed === undefined ? patched : fail(failure('IllegalValue', removed, 'must not be removed'));
}

const NEVER_NULL = ['name', 'state', 'level', 'conflictingAccessCriteria', 'tags'] satisfies (keyof SodPolicy)[];

const PATCHABLE: readonly string[] = [
  'name',
  'description',
  'state',
  'level',
  'conflictingAccessCriteria',
  'externalPolicyReference',
  'compensatingControls',
  'correctionAdvice',
  'tags',
  'ownerRef',
  'attributes',
  'externalId',
  'scheduled',
  'violationOwnerAssignmentConfig',
  'secondaryOwnerRefs',
  'allowedControls',
] satisfies (keyof SodPolicy)[];

const isPatchable = ([name]: JsonPointer) => name !== undefined && PATCHABLE.includes(name);
