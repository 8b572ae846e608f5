import type { AccessAdminClient, SodPolicy as ShownPolicy, SodPolicyInput } from '@access-admin/client';
import { type ConflictingAccessCriteria, isKOfN, type SodPolicy, sidesOf } from '@access-admin/domain';
import type { Rulebook } from '../rulebook/load.ts';
import type { PlacedPolicy } from '../rulebook/parse.ts';
import { isPattern } from '../rulebook/refs.ts';
import { type ResolvedPolicy, resolveRulebook } from '../rulebook/resolve.ts';

/** What makes the policies of the service those of a rulebook. */
export interface RulebookChanges {
  readonly add: readonly SodPolicyInput[];
  readonly change: readonly SodPolicyInput[];
  /** Policies of the service that the files lack. */
  readonly remove: readonly string[];
  /** The policies of the files. */
  readonly policies: readonly ResolvedPolicy[];
}

/** Compares a rulebook with the policies of the service. Patterns are resolved against its catalogue. */
export async function compareWithService(
  rulebook: Rulebook,
  client: AccessAdminClient,
  signal: AbortSignal,
): Promise<RulebookChanges> {
  const ids: string[] = [];
  if (rulebook.policies.some(hasPattern)) for await (const { id } of client.entitlements.list({ signal })) ids.push(id);
  const policies = resolveRulebook(rulebook, { ids, unmatched: 'fault' });
  const present = new Map<string, ShownPolicy>();
  for await (const policy of client.sodPolicies.list({ signal })) present.set(policy.id, policy);
  const add: SodPolicyInput[] = [];
  const change: SodPolicyInput[] = [];
  for (const { policy } of policies) {
    const before = present.get(policy.id);
    present.delete(policy.id);
    if (before === undefined) add.push(inputOf(policy, null));
    else if (contentOf(before) !== contentOf(policy)) change.push(inputOf(policy, before));
  }
  return { add, change, remove: [...present.keys()].sort(), policies };
}

const hasPattern = ({ policy }: PlacedPolicy): boolean => {
  if ('critical' in policy) return policy.critical.some(isPattern);
  if ('sides' in policy) return policy.sides.some(({ items }) => items.some(isPattern));
  return policy.left.some(isPattern) || policy.right.some(isPattern);
};

/** All that a rulebook states of a policy, in one form. */
function contentOf(policy: SodPolicy | ShownPolicy): string {
  const { id, name, description, state, level, correctionAdvice, compensatingControls, tags, ownerRef } = policy;
  const criteria = policy.conflictingAccessCriteria;
  const sides = sidesOf(criteria).map((side) => [
    isNamed(criteria) ? side.name : null,
    side.criteriaList.map((item) => item.id).sort(),
  ]);
  const atLeast = isKOfN(criteria) ? criteria.atLeast : null;
  const owner = ownerRef?.id ?? null;
  return JSON.stringify([
    id,
    name,
    description,
    state,
    level,
    correctionAdvice,
    compensatingControls,
    tags,
    owner,
    sides,
    atLeast,
  ]);
}

/** Whether a rulebook names the sides: those of a two-sided policy and of critical access have no names there. */
const isNamed = (criteria: ConflictingAccessCriteria): boolean => isKOfN(criteria) && criteria.criteria.length > 1;

/** A policy as an import takes it. What a rulebook cannot state stays as it was. */
function inputOf(policy: SodPolicy, before: ShownPolicy | null): SodPolicyInput {
  const { created: _created, modified: _modified, creatorId: _creatorId, modifierId: _modifierId, ...fields } = policy;
  const criteria = before === null ? policy.conflictingAccessCriteria : withNames(policy, before);
  return {
    ...fields,
    conflictingAccessCriteria: criteria,
    externalPolicyReference: before?.externalPolicyReference ?? null,
    attributes: before?.attributes ?? {},
    externalId: before?.externalId ?? null,
    scheduled: before?.scheduled ?? false,
    violationOwnerAssignmentConfig: before?.violationOwnerAssignmentConfig ?? null,
    secondaryOwnerRefs: before?.secondaryOwnerRefs ?? null,
    allowedControls: before?.allowedControls ?? null,
  };
}

function withNames({ conflictingAccessCriteria: after }: SodPolicy, before: ShownPolicy): ConflictingAccessCriteria {
  const earlier = before.conflictingAccessCriteria;
  if (isNamed(after) || isKOfN(after) !== isKOfN(earlier)) return after;
  const names = sidesOf(earlier).map(({ name }) => name);
  if (isKOfN(after))
    return { ...after, criteria: after.criteria.map((side, at) => ({ ...side, name: names[at] ?? null })) };
  return {
    leftCriteria: { ...after.leftCriteria, name: names[0] ?? null },
    rightCriteria: { ...after.rightCriteria, name: names[1] ?? null },
  };
}
