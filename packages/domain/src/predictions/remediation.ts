import type { AccessRef } from '../access/model/records.ts';
import {
  type AccessState,
  type Candidate,
  type Choice,
  type Conflicts,
  choose,
  gatherConflicts,
  type SodIndex,
} from '../sod/index.ts';
import type { AssignedRef } from './path-origins.ts';

/** Smallest sets whose removal leaves no violation, the first ones in order of ids; `optimal` is false if a smaller one may exist. */
export interface Remediation {
  /** Requested refs to drop. */
  readonly drop: { readonly accessRefs: readonly AccessRef[]; readonly optimal: boolean };
  /** Held assignments to revoke; null where that does not help. */
  readonly revoke: { readonly assignments: readonly RevokedAssignment[]; readonly optimal: boolean } | null;
}

/** An assignment to revoke. */
export interface RevokedAssignment extends AccessRef {
  /** The sources that have to revoke it, too; left out where it is of the identity's own record alone. */
  readonly sources?: readonly string[];
}

/** Names the sources of the assignments to revoke. */
export function nameSources(remediation: Remediation, assignments: readonly AssignedRef[]): Remediation {
  const { revoke } = remediation;
  if (revoke === null || assignments.every(({ account }) => account === undefined)) return remediation;
  const named = revoke.assignments.map(({ type, id }): RevokedAssignment => {
    const same = assignments.filter((ref) => ref.type === type && ref.id === id);
    const sources = [...new Set(same.flatMap(({ account }) => account?.source ?? []))].sort();
    return sources.length === 0 ? { type, id } : { type, id, sources };
  });
  return { ...remediation, revoke: { ...revoke, assignments: named } };
}

/**
 * Finds what to drop from a request, and what to revoke instead, so that `predict` finds no violation at any instant, given
 * the access of each. Exact where at most 12 refs, and 12 assignments, are involved. Yields after each piece of the work.
 */
export function* searchRemediation(
  index: SodIndex,
  accessStates: Iterable<AccessState>,
): Generator<undefined, Remediation> {
  const { drop, revoke } = yield* gatherConflicts(index, accessStates);
  const dropped = yield* chooseFrom(drop);
  const revoked = yield* chooseFrom(revoke);
  return {
    // Dropping all refs leaves an empty request, which violates nothing.
    drop: { accessRefs: pick(drop, dropped), optimal: dropped?.optimal ?? false },
    revoke: revoked === null ? null : { assignments: pick(revoke, revoked), optimal: revoked.optimal },
  };
}

/** As `searchRemediation`, at once. */
export function remediate(index: SodIndex, accessStates: Iterable<AccessState>): Remediation {
  const search = searchRemediation(index, accessStates);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

const pick = ({ candidates }: Conflicts, choice: Choice | null): readonly AccessRef[] =>
  refsOf(choice === null ? candidates : choice.chosen.flatMap((at) => candidates[at] ?? []));

const refsOf = (candidates: readonly Candidate[]): readonly AccessRef[] => candidates.map(({ ref }) => ref);

// The work after which a set that is enough is not made smaller, in violated policies: some tens of milliseconds.
const WORK_MAX = 200_000;

/** Chooses candidates to remove, so that no violation is left. */
function chooseFrom({ candidates, states, isLeft }: Conflicts): Generator<undefined, Choice | null> {
  // The state in which a violation was left last is tested first, as one is likely to be left again.
  let last = 0;
  let work = 0;
  return choose({
    count: candidates.length,
    weightOf: (at) => candidates[at]?.weight ?? 0,
    isSpent: () => work > WORK_MAX,
    *isEnough(removed) {
      for (let step = 0; step < states.length; step++) {
        const state = (last + step) % states.length;
        work += states[state] ?? 0;
        const isOneLeft = isLeft(state, removed);
        yield;
        if (!isOneLeft) continue;
        last = state;
        return false;
      }
      return true;
    },
  });
}
