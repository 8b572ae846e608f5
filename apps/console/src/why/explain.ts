import type { AccessAdminClient, SodViolation } from '@access-admin/client';

/** A record on the way from a person to an entitlement. */
export interface Step {
  readonly type: 'ENTITLEMENT' | 'ACCESS_PROFILE' | 'ROLE';
  readonly id: string;
  readonly name: string;
}

/** An item of a side, with the ways by which the person holds it: from what is assigned down to the item, without it. */
export interface HeldItem {
  readonly id: string;
  readonly name: string;
  /** An empty way is an assignment of the item itself. */
  readonly ways: readonly (readonly Step[])[];
}

/** Why a violation is one. */
export interface Explanation {
  readonly sides: readonly { readonly name: string; readonly items: readonly HeldItem[] }[];
  /** What could go wrong, as the policy says; null where it does not. */
  readonly risk: string | null;
  /** On how many sides access makes a violation. */
  readonly atLeast: number;
  /** What the policy advises to do; null without advice. */
  readonly advice: string | null;
  /** The compensating controls that the policy names. */
  readonly controls: string | null;
}

type Reads = Pick<AccessAdminClient, 'identities' | 'roles' | 'accessProfiles' | 'sodPolicies'>;

/** When the question is asked, and what ends it. */
export interface Moment {
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** Looks up how a person holds the items of a violation. */
export async function explainViolation(
  api: Reads,
  { target, policy, conflictingCriteria }: Pick<SodViolation, 'target' | 'policy' | 'conflictingCriteria'>,
  { nowMs, signal }: Moment,
): Promise<Explanation> {
  const [{ assignments }, { conflictingAccessCriteria, ...told }] = await Promise.all([
    api.identities.get(target.id, { signal }),
    api.sodPolicies.get(policy.id, { signal }),
  ]);
  const present = assignments.filter((assigned) => isPresent(assigned, nowMs));
  const ways = (await Promise.all(present.map((assigned) => waysBelow(api, assigned, signal)))).flat();
  const sides = conflictingCriteria.map(({ name, conflictingItems }) => ({
    name,
    items: conflictingItems.map((item) => ({
      id: item.id,
      name: item.name,
      ways: ways.filter(({ entitlementId }) => entitlementId === item.id).map(({ steps }) => steps),
    })),
  }));
  const atLeast = 'criteria' in conflictingAccessCriteria ? (conflictingAccessCriteria.atLeast ?? 1) : 2;
  const { description: risk, correctionAdvice: advice, compensatingControls: controls } = told;
  return { sides, risk, atLeast, advice, controls };
}

interface Window {
  readonly start?: string | null;
  readonly end?: string | null;
}

const isPresent = ({ start, end }: Window, nowMs: number): boolean =>
  (start == null || Date.parse(start) <= nowMs) && (end == null || nowMs < Date.parse(end));

/** A way from an assignment to an entitlement. */
interface Way {
  readonly entitlementId: string;
  readonly steps: readonly Step[];
}

async function waysBelow(api: Reads, { type, id, name }: Step, signal: AbortSignal): Promise<readonly Way[]> {
  const step = { type, id, name };
  if (type === 'ENTITLEMENT') return [{ entitlementId: id, steps: [] }];
  if (type === 'ACCESS_PROFILE') {
    const { entitlements } = await api.accessProfiles.get(id, { signal });
    return entitlements.map((entitlement) => ({ entitlementId: entitlement.id, steps: [step] }));
  }
  const { entitlements, accessProfiles } = await api.roles.get(id, { signal });
  const direct = entitlements.map((entitlement) => ({ entitlementId: entitlement.id, steps: [step] }));
  const below = await Promise.all(accessProfiles.map((profile) => waysBelow(api, profile, signal)));
  return [...direct, ...below.flat().map((way) => ({ ...way, steps: [step, ...way.steps] }))];
}
