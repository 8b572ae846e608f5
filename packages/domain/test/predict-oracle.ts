import type { AccessRef, Catalogue, SodCriteria, SodPolicy, ViolationContext, ViolationSide } from '../src/index.ts';

/** The plain rule on sets of ids, evaluating every policy. Shares no code with the evaluator that it tests. */
export function predictByOracle(
  world: { readonly policies: readonly SodPolicy[]; readonly catalogue: Catalogue },
  heldRefs: readonly AccessRef[],
  requestedRefs: readonly AccessRef[],
): readonly ViolationContext[] {
  const held = effectiveAccess(world.catalogue, heldRefs);
  const after = effectiveAccess(world.catalogue, [...heldRefs, ...requestedRefs]);
  const contexts: ViolationContext[] = [];
  for (const policy of world.policies) {
    const all = 'criteria' in policy.conflictingAccessCriteria ? policy.conflictingAccessCriteria : null;
    const sides = sidesIn(policy.conflictingAccessCriteria);
    // A two-sided policy is violated by an item of each side.
    const atLeast = all?.atLeast ?? 2;
    const isViolatedBy = (access: ReadonlySet<string>) =>
      sides.filter((side) => itemsIn(side, access).size > 0).length >= atLeast;
    const gained = sides.flatMap((side) => [...itemsIn(side, after)]).filter((id) => !held.has(id));
    if (policy.state !== 'ENFORCED' || !isViolatedBy(after) || gained.length === 0) continue;
    const shown = sides.map((side) => sideOf(world.catalogue, itemsIn(side, after), held));
    contexts.push({
      policy: { type: 'SOD_POLICY', id: policy.id, name: policy.name, level: policy.level },
      preexisting: isViolatedBy(held),
      conflictingAccessCriteria: all === null ? inPair(shown) : { criteria: named(all.criteria, shown), atLeast },
    });
  }
  return contexts.sort((a, b) => (a.policy.id < b.policy.id ? -1 : 1));
}

export function sidesIn(criteria: SodPolicy['conflictingAccessCriteria']): readonly SodCriteria[] {
  return 'criteria' in criteria ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria];
}

const NO_SIDE: ViolationSide = { criteriaList: [] };

export const inPair = ([left = NO_SIDE, right = NO_SIDE]: readonly ViolationSide[]) => ({
  leftCriteria: left,
  rightCriteria: right,
});

// Sides without an item are not shown.
export const named = (criteria: readonly SodCriteria[], sides: readonly ViolationSide[]) =>
  criteria
    .map(({ name }, at) => ({ name, ...(sides[at] ?? NO_SIDE) }))
    .filter(({ criteriaList }) => criteriaList.length > 0);

export function effectiveAccess(catalogue: Catalogue, refs: readonly AccessRef[]): Set<string> {
  const access = new Set<string>();
  const addProfile = (id: string) => {
    for (const profile of catalogue.accessProfiles.filter((candidate) => candidate.id === id))
      for (const item of profile.entitlements) access.add(item);
  };
  for (const { type, id } of refs) {
    if (type === 'ENTITLEMENT') access.add(id);
    if (type === 'ACCESS_PROFILE') addProfile(id);
    for (const role of type === 'ROLE' ? catalogue.roles.filter((candidate) => candidate.id === id) : []) {
      for (const item of role.entitlements) access.add(item);
      for (const profile of role.accessProfiles) addProfile(profile);
    }
  }
  return new Set(catalogue.entitlements.map((item) => item.id).filter((id) => access.has(id)));
}

export const itemsIn = ({ criteriaList }: SodCriteria, access: ReadonlySet<string>): Set<string> =>
  new Set(criteriaList.map(({ id }) => id).filter((id) => access.has(id)));

const sideOf = (catalogue: Catalogue, items: ReadonlySet<string>, held: ReadonlySet<string>): ViolationSide => ({
  criteriaList: [...items].sort().map((id) => {
    const name = catalogue.entitlements.find((item) => item.id === id)?.name ?? '';
    return { type: 'ENTITLEMENT', id, name, existing: held.has(id) };
  }),
});
