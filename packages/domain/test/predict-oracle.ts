import type { AccessRef, Catalogue, SodCriteria, SodPolicy, ViolationContext, ViolationSide } from '../src/index.ts';

/** The rule in its plainest words: sets of ids, every policy looked at. Shares nothing with what it judges. */
export function predictByOracle(
  world: { readonly policies: readonly SodPolicy[]; readonly catalogue: Catalogue },
  heldRefs: readonly AccessRef[],
  requestedRefs: readonly AccessRef[],
): readonly ViolationContext[] {
  const held = effectiveAccess(world.catalogue, heldRefs);
  const after = effectiveAccess(world.catalogue, [...heldRefs, ...requestedRefs]);
  const contexts: ViolationContext[] = [];
  for (const policy of world.policies) {
    const { leftCriteria, rightCriteria } = policy.conflictingAccessCriteria;
    const left = itemsIn(leftCriteria, after);
    const right = itemsIn(rightCriteria, after);
    const gained = [...left, ...right].filter((id) => !held.has(id));
    if (policy.state !== 'ENFORCED' || left.size === 0 || right.size === 0 || gained.length === 0) continue;
    contexts.push({
      policy: { type: 'SOD_POLICY', id: policy.id, name: policy.name, level: policy.level },
      preexisting: itemsIn(leftCriteria, held).size > 0 && itemsIn(rightCriteria, held).size > 0,
      conflictingAccessCriteria: {
        leftCriteria: sideOf(world.catalogue, left, held),
        rightCriteria: sideOf(world.catalogue, right, held),
      },
    });
  }
  return contexts.sort((a, b) => (a.policy.id < b.policy.id ? -1 : 1));
}

function effectiveAccess(catalogue: Catalogue, refs: readonly AccessRef[]): Set<string> {
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

const itemsIn = ({ criteriaList }: SodCriteria, access: ReadonlySet<string>): Set<string> =>
  new Set(criteriaList.map(({ id }) => id).filter((id) => access.has(id)));

const sideOf = (catalogue: Catalogue, items: ReadonlySet<string>, held: ReadonlySet<string>): ViolationSide => ({
  criteriaList: [...items].sort().map((id) => {
    const name = catalogue.entitlements.find((item) => item.id === id)?.name ?? '';
    return { type: 'ENTITLEMENT', id, name, existing: held.has(id) };
  }),
});
