import type { AccessRef } from '../access/model/records.ts';
import {
  type AccessState,
  type Candidate,
  type Choice,
  type Conflicts,
  choose,
  createConflicts,
  type SodIndex,
} from '../sod/index.ts';

/** Smallest sets whose removal leaves no violation, the first ones in order of ids; `optimal` is false if a smaller one may exist. */
export interface Remediation {
  /** Requested refs to drop. */
  readonly drop: { readonly accessRefs: readonly AccessRef[]; readonly optimal: boolean };
  /** Held assignments to revoke; null where that does not help. */
  readonly revoke: { readonly assignments: readonly AccessRef[]; readonly optimal: boolean } | null;
}

/** A search for what to drop or revoke, in the access of one instant after the other. */
export interface RemediationSearch {
  /** Adds the access of an instant, one violated policy after the other: yields the number of each in the index. */
  add(accessState: AccessState): Iterable<number>;
  /** Finds what to do so that `predict` finds no violation at any of the instants. */
  choose(): Remediation;
}

/**
 * Creates a search for what to drop from a request, and what to revoke instead. Exact where at most 12 refs, and 12
 * assignments, are involved.
 */
export function createRemediationSearch(index: SodIndex): RemediationSearch {
  const gathering = createConflicts(index);
  return {
    add: gathering.add,
    choose: () => {
      const { drop, revoke } = gathering.conflicts();
      const dropped = chooseFrom(drop);
      const revoked = chooseFrom(revoke);
      return {
        // Dropping all refs leaves an empty request, which violates nothing.
        drop: { accessRefs: pick(drop, dropped), optimal: dropped?.optimal ?? false },
        revoke: revoked === null ? null : { assignments: pick(revoke, revoked), optimal: revoked.optimal },
      };
    },
  };
}

/** What to drop and what to revoke, given the access of all instants. */
export function remediate(index: SodIndex, accessStates: Iterable<AccessState>): Remediation {
  const search = createRemediationSearch(index);
  for (const accessState of accessStates) for (const _ of search.add(accessState));
  return search.choose();
}

const pick = ({ candidates }: Conflicts, choice: Choice | null): readonly AccessRef[] =>
  refsOf(choice === null ? candidates : choice.chosen.flatMap((at) => candidates[at] ?? []));

const refsOf = (candidates: readonly Candidate[]): readonly AccessRef[] => candidates.map(({ ref }) => ref);

// The work after which a set that is enough is not made smaller: some milliseconds.
const SIDES_EVALUATED_MAX = 400_000;

/** Chooses candidates to remove, so that no violation is left. */
function chooseFrom({ candidates, count, isLeft, sidesEvaluated }: Conflicts): Choice | null {
  // The conflict found last is tested first, as it is likely to be left again.
  let last = 0;
  const spentBefore = sidesEvaluated();
  return choose({
    count: candidates.length,
    weightOf: (at) => candidates[at]?.weight ?? 0,
    isSpent: () => sidesEvaluated() - spentBefore > SIDES_EVALUATED_MAX,
    isEnough: (removed) => {
      for (let step = 0; step < count; step++) {
        const conflict = (last + step) % count;
        if (!isLeft(conflict, removed)) continue;
        last = conflict;
        return false;
      }
      return true;
    },
  });
}
