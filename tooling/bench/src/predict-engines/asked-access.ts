import type { World, WorldPolicy } from '../world/create-world.ts';

/** A question for engines that have no identities. */
export interface AskedAccess {
  /** All access after the grant, and the part of it that is new. */
  readonly access: readonly string[];
  readonly gained: readonly string[];
}

export function askedAccessOf(world: World): readonly AskedAccess[] {
  const heldIds = world.held.map((refs) => new Set(refs.map(({ id }) => id)));
  return world.questions.map(({ identity, accessRefs }) => {
    const held = heldIds[identity] ?? new Set();
    const gained = accessRefs.map(({ id }) => id).filter((id) => !held.has(id));
    return { access: [...held, ...gained], gained };
  });
}

export function sidesOf({ conflictingAccessCriteria: { leftCriteria, rightCriteria } }: WorldPolicy) {
  return {
    left: leftCriteria.criteriaList.map(({ id }) => id),
    right: rightCriteria.criteriaList.map(({ id }) => id),
  };
}
