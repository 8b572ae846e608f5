import { createDisjointSets } from './disjoint-sets.ts';
import type { ReducedIdentity } from './reduce.ts';

/** Violations of an identity that have refs in common, which other groups of it do not have. */
export interface Group {
  readonly identity: number;
  /** Places of refs of the identity, ascending. Below, refs are their places in this list. */
  readonly refs: readonly number[];
  readonly violations: readonly GroupViolation[];
  readonly losses: readonly GroupLoss[];
}

/** A violation of a group, and what ends it. */
export interface GroupViolation {
  /** Its place among those of the identity. */
  readonly at: number;
  /** Sets of refs, each of which ends it, the smallest first. */
  readonly choices: readonly (readonly number[])[];
}

/** What an identity loses once all of these refs of a group are taken. */
export interface GroupLoss {
  readonly refs: readonly number[];
  /** The number of entitlements that are lost. */
  readonly count: number;
  /** Those of them that other groups also can lose, more often than there are holders to spare. */
  readonly scarce: readonly number[];
  readonly isForbidden: boolean;
}

/** Splits what an identity can lose into groups that can be decided one by one, but for scarce entitlements. */
export function splitIntoGroups(
  identity: number,
  { violations, losses }: ReducedIdentity,
  isScarce: (entitlement: number) => boolean,
): readonly Group[] {
  const refs = [...new Set(violations.flatMap(({ choices }) => choices.flat()))].sort((a, b) => a - b);
  const numbers = new Map(refs.map((ref, number) => [ref, number]));
  const localOf = (places: readonly number[]) => places.map((place) => numbers.get(place) ?? 0);
  const ofRefs = losses.map((loss) => ({ ...loss, refs: localOf(loss.refs), scarce: loss.tight.filter(isScarce) }));
  const sets = createDisjointSets(refs.length);
  const joinAll = (members: readonly number[]) => {
    for (const member of members) sets.join(members[0] ?? 0, member);
  };
  const open = violations.map(({ at, choices }) => ({ at, choices: choices.map(localOf) }));
  for (const { choices } of open) joinAll(choices.flat());
  for (const loss of ofRefs) joinAll(loss.refs);
  // One group decides about all that is scarce.
  joinAll(ofRefs.flatMap((loss) => (loss.scarce.length > 0 ? loss.refs : [])));
  const rootOf = (members: readonly number[] | undefined) => sets.find(members?.[0] ?? 0);
  const byRoot = Map.groupBy(refs.keys(), sets.find);
  return Array.from(byRoot, ([root, members]): Group => {
    const own = new Map(members.map((member, number) => [member, number]));
    const ownOf = (list: readonly number[]) => list.map((member) => own.get(member) ?? 0);
    return {
      identity,
      refs: members.map((member) => refs[member] ?? 0),
      violations: open
        .filter(({ choices }) => rootOf(choices[0]) === root)
        .map(({ at, choices }) => ({ at, choices: choices.map(ownOf) })),
      losses: ofRefs
        .filter((loss) => rootOf(loss.refs) === root)
        .map(({ refs: lost, count, scarce, isForbidden }) => ({ refs: ownOf(lost), count, scarce, isForbidden })),
    };
  });
}
