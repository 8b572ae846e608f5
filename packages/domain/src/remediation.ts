import type { AccessRef } from './access-model.ts';
import { entitlementsOf, expandAccess } from './expand-access.ts';
import { numberOfId } from './id-numbers.ts';
import { predictViolations, type ViolationContext } from './predict-violations.ts';
import { choose } from './smallest-set.ts';
import type { SodIndex } from './sod-index.ts';

/** What would make a request clean: smallest sets, those first in order of ids; `optimal` false where a smaller one may exist. */
export interface Remediation {
  /** Requested refs to do without. */
  readonly drop: { readonly accessRefs: readonly AccessRef[]; readonly optimal: boolean };
  /** Held assignments to give up; null where that does not help. */
  readonly revoke: { readonly assignments: readonly AccessRef[]; readonly optimal: boolean } | null;
}

/**
 * Finds what to drop from a request, and what to revoke instead, so that `predict` answers no violation. All refs must be in
 * the catalogue; those that it lacks count for nothing. Exact where at most 12 refs, and 12 assignments, are involved.
 */
export function remediate(
  index: SodIndex,
  {
    assignments,
    accessRefs,
  }: { readonly assignments: readonly AccessRef[]; readonly accessRefs: readonly AccessRef[] },
): Remediation {
  const conflicts = conflictsOf(index, assignments, accessRefs);
  const refs = involved(index, accessRefs, conflicts);
  const held = involved(index, assignments, conflicts);
  const isCleanWithout = (refsLeft: Providers, heldLeft: Providers) =>
    !conflicts.some((conflict) => isCaused(conflict, { requested: refsLeft, held: heldLeft }));
  const dropped = choose(refs.given.length, (gone) => isCleanWithout(without(refs, gone), held.providers));
  const revoked = choose(held.given.length, (gone) => isCleanWithout(refs.providers, without(held, gone)));
  return {
    // Without any ref nothing is requested any more.
    drop: {
      accessRefs: dropped === null ? refs.given : pick(refs, dropped.chosen),
      optimal: dropped?.optimal ?? false,
    },
    revoke: revoked === null ? null : { assignments: pick(held, revoked.chosen), optimal: revoked.optimal },
  };
}

/** The sides of a policy that are held, as numbers of entitlements, and of how many of them one item each violates it. */
interface Conflict {
  readonly sides: readonly (readonly number[])[];
  readonly atLeast: number;
}

/**
 * The policies that held and requested access violate together and that a requested item takes part in: whatever is taken
 * away, the violations left are among these. That an item is held already does not matter: it may be given up.
 */
function conflictsOf(
  index: SodIndex,
  assignments: readonly AccessRef[],
  accessRefs: readonly AccessRef[],
): readonly Conflict[] {
  const requested = expandAccess(index, accessRefs).entitlements;
  const isRequested = new Set(requested);
  const others = expandAccess(index, assignments).entitlements.filter((number) => !isRequested.has(number));
  return predictViolations(index, others, requested).map((context) => toConflict(index, context));
}

function toConflict({ catalogue }: SodIndex, { conflictingAccessCriteria: shown }: ViolationContext): Conflict {
  const isKOfN = 'criteria' in shown;
  const sides = isKOfN ? shown.criteria : [shown.leftCriteria, shown.rightCriteria];
  return {
    sides: sides.map(({ criteriaList }) => criteriaList.map(({ id }) => numberOfId(catalogue.numbers, id) ?? -1)),
    atLeast: isKOfN ? shown.atLeast : 2,
  };
}

/** For each entitlement how many of the refs give it. */
type Providers = ReadonlyMap<number, number>;

interface Involved {
  /** The refs that give an item of a conflict, each once, in order of ids. */
  readonly given: readonly AccessRef[];
  /** The items of conflicts that each of them gives. */
  readonly items: readonly (readonly number[])[];
  readonly providers: Providers;
}

function involved({ catalogue }: SodIndex, refs: readonly AccessRef[], conflicts: readonly Conflict[]): Involved {
  const inConflict = new Set(conflicts.flatMap(({ sides }) => sides.flat()));
  const unique = new Map(refs.map((ref) => [`${ref.id} ${ref.type}`, { type: ref.type, id: ref.id }]));
  const found = [...unique]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, ref]) => ({
      ref,
      items: Array.from(entitlementsOf(catalogue, ref) ?? []).filter((number) => inConflict.has(number)),
    }))
    .filter(({ items }) => items.length > 0);
  const items = found.map((each) => each.items);
  return { given: found.map(({ ref }) => ref), items, providers: countProviders(items, () => true) };
}

function countProviders(items: Involved['items'], isLeft: (at: number) => boolean): Providers {
  const providers = new Map<number, number>();
  for (const [at, given] of items.entries()) {
    if (isLeft(at)) for (const item of given) providers.set(item, (providers.get(item) ?? 0) + 1);
  }
  return providers;
}

const without = ({ items }: Involved, gone: ReadonlySet<number>): Providers =>
  countProviders(items, (at) => !gone.has(at));

const pick = ({ given }: Involved, chosen: readonly number[]): readonly AccessRef[] =>
  chosen.flatMap((at) => given[at] ?? []);

/** Whether enough sides have an item, one of all these items being new. */
function isCaused(
  { sides, atLeast }: Conflict,
  { requested, held }: { readonly requested: Providers; readonly held: Providers },
): boolean {
  let met = 0;
  let isNew = false;
  for (const items of sides) {
    let isMet = false;
    for (const item of items) {
      const isGained = requested.has(item) && !held.has(item);
      isMet ||= isGained || held.has(item);
      isNew ||= isGained;
    }
    if (isMet) met++;
  }
  return isNew && met >= atLeast;
}
