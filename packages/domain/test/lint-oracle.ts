import { type Catalogue, type PolicyFinding, type SodPolicy, sidesOf } from '../src/index.ts';

/** The findings, found by trying every possible access: `CODE policy ref > related`, in order. */
export function lintByOracle(policies: readonly SodPolicy[], catalogue: Catalogue): string[] {
  const living = new Set(catalogue.entitlements.map(({ id }) => id));
  const found: string[][] = [];
  const tell = (...parts: string[]) => found.push(parts);
  const enforced = policies.filter(({ state }) => state === 'ENFORCED').toSorted(byId);
  for (const policy of policies) {
    const sides = itemsOf(policy);
    const items = new Set(sides.flat());
    for (const item of items) {
      if (!living.has(item)) tell('DELETED_ITEM', policy.id, item);
      if (sides.filter((side) => side.includes(item)).length > 1) tell('ITEM_ON_TWO_SIDES', policy.id, item);
    }
    if (!isViolated(policy, [...living])) tell('UNMATCHABLE_POLICY', policy.id, '');
  }
  for (const policy of enforced) {
    for (const [code, id, entitlements] of bundlesOf(catalogue))
      if (isViolated(policy, entitlements)) tell(code, policy.id, id);
    const others = enforced.filter((other) => other !== policy && subsumes(other, policy));
    const alike = others.filter((other) => subsumes(policy, other));
    const wider = others.filter((other) => !alike.includes(other)).map(({ id }) => id);
    const [first] = alike;
    if (first !== undefined && first.id < policy.id) tell('DUPLICATE_POLICY', policy.id, '', first.id);
    if (wider.length > 0) tell('SUBSUMED_POLICY', policy.id, '', ...wider);
  }
  return found
    .sort(inOrder)
    .map(([code = '', policy = '', ref = '', ...related]) => inShort({ code, policy, ref, related }));
}

/** A finding in the oracle's format. */
export const findingInShort = ({ code, policyId, ref, related }: PolicyFinding): string =>
  inShort({ code, policy: policyId, ref: ref?.id ?? '', related: related.map(({ id }) => id) });

const inShort = ({ code, policy, ref, related }: { code: string; policy: string; ref: string; related: string[] }) =>
  [code, policy, ref, ...(related.length === 0 ? [] : ['>', ...related])].join(' ');

const byId = (a: SodPolicy, b: SodPolicy) => (a.id < b.id ? -1 : 1);

const inOrder = (a: readonly string[], b: readonly string[]) => {
  for (let at = 0; at < 3; at++) if (a[at] !== b[at]) return (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
  return 0;
};

const itemsOf = ({ conflictingAccessCriteria }: SodPolicy) =>
  sidesOf(conflictingAccessCriteria).map(({ criteriaList }) => criteriaList.map(({ id }) => id));

function isViolated(policy: SodPolicy, access: readonly string[]): boolean {
  const { conflictingAccessCriteria: criteria } = policy;
  const held = itemsOf(policy).filter((side) => side.some((id) => access.includes(id)));
  return held.length >= ('atLeast' in criteria ? criteria.atLeast : 2);
}

/** Whether every access that violates the narrow policy violates the broad one. Items outside the narrow policy only add. */
function subsumes(wide: SodPolicy, narrow: SodPolicy): boolean {
  const items = [...new Set(itemsOf(narrow).flat())];
  for (let set = 0; set < 1 << items.length; set++) {
    const access = items.filter((_, at) => (set >> at) % 2 === 1);
    if (isViolated(narrow, access) && !isViolated(wide, access)) return false;
  }
  return true;
}

function* bundlesOf({ accessProfiles, roles }: Catalogue): Generator<readonly [string, string, readonly string[]]> {
  for (const { id, entitlements } of accessProfiles) yield ['SELF_VIOLATING_ACCESS_PROFILE', id, entitlements];
  for (const role of roles) {
    const profiles = accessProfiles.filter(({ id }) => role.accessProfiles.includes(id));
    yield [
      'SELF_VIOLATING_ROLE',
      role.id,
      [...role.entitlements, ...profiles.flatMap(({ entitlements }) => entitlements)],
    ];
  }
}
