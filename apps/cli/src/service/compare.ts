import type { AccessAdminClient, SodPolicy as ShownPolicy, SodPolicyInput } from '@access-admin/client';
import {
  approvedTermsOf,
  type ConflictingAccessCriteria,
  isKOfN,
  keysOf,
  type SodCriteria,
  type SodPolicy,
  sidesOf,
} from '@access-admin/domain';
import type { Rulebook } from '../rulebook/load.ts';
import type { PlacedPolicy } from '../rulebook/parse.ts';
import { isPattern } from '../rulebook/refs.ts';
import { OPTIONAL_FIELDS, type OptionalField, type ResolvedPolicy, resolveRulebook } from '../rulebook/resolve.ts';

/** A field by its name in files; null before it is stated, and where it is not any more. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A policy as it is to be, and what of it differs. */
export interface PolicyChange {
  readonly policy: SodPolicyInput & { readonly id: string };
  readonly fields: readonly FieldChange[];
}

/** What makes the policies of the service those of a rulebook. */
export interface RulebookChanges {
  readonly add: readonly PolicyChange[];
  readonly change: readonly PolicyChange[];
  /** Policies of the service that the files lack. */
  readonly remove: readonly string[];
  /** Changed policies to whose new form no approval of an exception applies. */
  readonly endedApprovals: readonly string[];
  /** The policies of the files. */
  readonly policies: readonly ResolvedPolicy[];
}

/** What a comparison needs. */
export interface Comparing {
  readonly client: AccessAdminClient;
  readonly signal: AbortSignal;
  readonly blocking: <T>(action: () => T) => Promise<T>;
}

/**
 * Compares a rulebook with the policies of the service. Patterns are resolved against its catalogue. What the files leave out
 * of a policy that exists stays as it is.
 */
export async function compareWithService(
  rulebook: Rulebook,
  { client, signal, blocking }: Comparing,
): Promise<RulebookChanges> {
  const ids: string[] = [];
  if (rulebook.policies.some(hasPattern)) for await (const { id } of client.entitlements.list({ signal })) ids.push(id);
  const policies = await blocking(() => resolveRulebook(rulebook, { ids, unmatched: 'fault' }));
  const present = new Map<string, ShownPolicy>();
  for await (const policy of client.sodPolicies.list({ signal })) present.set(policy.id, policy);
  const add: PolicyChange[] = [];
  const change: PolicyChange[] = [];
  const endedApprovals: string[] = [];
  for (const resolved of policies) {
    const { id } = resolved.policy;
    const before = present.get(id);
    present.delete(id);
    const policy = inputOf(resolved, before ?? null);
    const fields = differences(before ?? null, policy);
    if (before === undefined) add.push({ policy, fields });
    else if (fields.length > 0) change.push({ policy, fields });
    if (before !== undefined && (approvedTermsOf(before) !== approvedTermsOf(policy) || policy.state !== before.state))
      endedApprovals.push(id);
  }
  return { add, change, remove: [...present.keys()].sort(), endedApprovals, policies };
}

const hasPattern = ({ policy }: PlacedPolicy): boolean => {
  if ('critical' in policy) return policy.critical.some(isPattern);
  if ('sides' in policy) return policy.sides.some(({ items }) => items.some(isPattern));
  return policy.left.some(isPattern) || policy.right.some(isPattern);
};

/** What files can state of a policy; the service leaves out an owner that is not set. */
type Compared = Pick<SodPolicy, 'name' | 'conflictingAccessCriteria' | Exclude<OptionalField, 'ownerRef'>> &
  Partial<Pick<SodPolicy, 'ownerRef'>>;

/** What differs between two policies of all that files can state. */
function differences(before: Compared | null, after: Compared): readonly FieldChange[] {
  const earlier = before === null ? {} : fieldsOf(before);
  const later = fieldsOf(after);
  return [...new Set([...Object.keys(earlier), ...Object.keys(later)])].flatMap((field) => {
    const change = { field, before: earlier[field] ?? null, after: later[field] ?? null };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}

/** What files can state of a policy, by the names that it has there. */
function fieldsOf(policy: Compared): Readonly<Record<string, unknown>> {
  const optional = keysOf(OPTIONAL_FIELDS).map((name) => [name, policy[OPTIONAL_FIELDS[name]]] as const);
  return {
    name: policy.name,
    ...Object.fromEntries(optional),
    owner: policy.ownerRef?.id ?? null,
    ...criteriaOf(policy.conflictingAccessCriteria),
  };
}

function criteriaOf(criteria: ConflictingAccessCriteria): Readonly<Record<string, unknown>> {
  const items = (side: SodCriteria | undefined) => side?.criteriaList.map(({ id }) => id).sort();
  const [first, second] = sidesOf(criteria);
  if (!isKOfN(criteria)) return { left: items(first), right: items(second) };
  if (!isNamed(criteria)) return { critical: items(first) };
  const sides = criteria.criteria.map((side) => ({ name: side.name, items: items(side) }));
  return { sides, atLeast: criteria.atLeast };
}

/** Whether a rulebook names the sides: those of a two-sided policy and of critical access have no names there. */
const isNamed = (criteria: ConflictingAccessCriteria): boolean => isKOfN(criteria) && criteria.criteria.length > 1;

/** A policy as an import takes it. What its file does not state stays as it was. */
function inputOf({ policy, stated }: ResolvedPolicy, before: ShownPolicy | null): PolicyChange['policy'] & Compared {
  const { created: _created, modified: _modified, creatorId: _creatorId, modifierId: _modifierId, ...fields } = policy;
  if (before === null) return fields;
  const kept = Object.values(OPTIONAL_FIELDS).filter((field) => !stated.has(field));
  return {
    ...fields,
    ...Object.fromEntries(kept.map((field) => [field, before[field] ?? null])),
    conflictingAccessCriteria: withNames(policy, before),
    externalPolicyReference: before.externalPolicyReference ?? null,
    attributes: before.attributes ?? {},
    externalId: before.externalId ?? null,
    scheduled: before.scheduled ?? false,
    violationOwnerAssignmentConfig: before.violationOwnerAssignmentConfig ?? null,
    secondaryOwnerRefs: before.secondaryOwnerRefs ?? null,
    allowedControls: before.allowedControls ?? null,
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
