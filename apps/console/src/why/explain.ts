import { type AccessAdminClient, filter, type ShownAssignment, type SodViolation } from '@access-admin/client';

/** A record of access on the way from a person to an entitlement. */
export interface AccessStep {
  readonly type: 'ENTITLEMENT' | 'ACCESS_PROFILE' | 'ROLE';
  readonly id: string;
  readonly name: string;
}

/** The account by which a person holds what follows on the way. */
export interface AccountStep {
  readonly type: 'ACCOUNT';
  /** Its key. */
  readonly id: string;
  /** That of the source where the session may not read accounts. */
  readonly name: string;
  readonly source: string;
}

/** A record on the way from a person to an entitlement: an account is the first one. */
export type Step = AccessStep | AccountStep;

/** The name of a step; an account with its source. */
export const labelOf = (step: Step): string =>
  step.type === 'ACCOUNT' && step.name !== step.source ? `${step.name} (${step.source})` : step.name;

/** An item of a side, with the ways by which the person holds it: from the account, if there is one, and what is assigned down to the item, without it. */
export interface HeldItem {
  readonly id: string;
  readonly name: string;
  /** A way without access is an assignment of the item itself. */
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

type Reads = Pick<AccessAdminClient, 'accounts' | 'identities' | 'roles' | 'accessProfiles' | 'sodPolicies'>;

/** When and by whom the question is asked, and what ends it. */
export interface Moment {
  readonly nowMs: number;
  /** Whether the session may read accounts, and so their names. */
  readonly mayReadAccounts: boolean;
  readonly signal: AbortSignal;
}

/** Looks up how a person holds the items of a violation. */
export async function explainViolation(
  api: Reads,
  { target, policy, conflictingCriteria }: Pick<SodViolation, 'target' | 'policy' | 'conflictingCriteria'>,
  { nowMs, mayReadAccounts, signal }: Moment,
): Promise<Explanation> {
  const [{ assignments }, { conflictingAccessCriteria, ...told }] = await Promise.all([
    api.identities.get(target.id, { signal }),
    api.sodPolicies.get(policy.id, { signal }),
  ]);
  const present = assignments.filter((assigned) => isPresent(assigned, nowMs));
  const hasAccounts = present.some(({ accountKey }) => accountKey !== undefined);
  const names = hasAccounts && mayReadAccounts ? await accountNames(api, target.id, signal) : NO_NAMES;
  const ways = (
    await Promise.all(
      present.map(async (assigned) => {
        const account = accountStepOf(assigned, names);
        const below = await waysBelow(api, assigned, signal);
        return account === null ? below : below.map((way) => ({ ...way, steps: [account, ...way.steps] }));
      }),
    )
  ).flat();
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

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** The names of the accounts of a person, by key. */
async function accountNames(
  { accounts }: Reads,
  identityId: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { key, name } of accounts.list({ filters: filter`identityId eq ${identityId}`, signal }))
    names.set(key, name);
  return names;
}

/** The account that an assignment comes from; null for one of the person's own record. */
const accountStepOf = (
  { accountKey, source = '' }: Pick<ShownAssignment, 'accountKey' | 'source'>,
  names: ReadonlyMap<string, string>,
): AccountStep | null =>
  accountKey === undefined ? null : { type: 'ACCOUNT', id: accountKey, name: names.get(accountKey) ?? source, source };

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

async function waysBelow(api: Reads, { type, id, name }: AccessStep, signal: AbortSignal): Promise<readonly Way[]> {
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
