import type { AccessRef } from '../access-model/records.ts';
import { type Choice, choose, type Selection } from '../collections/smallest-set.ts';
import { sortById } from '../collections/sort-by-id.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { isPauseDue, releaseBytes, type Steps, takeBytes, type WorkBudget } from '../steps/work-budget.ts';
import type { AccessState } from './access-states.ts';
import {
  type Candidate,
  type CandidatesById,
  type Conflicts,
  createGathering,
  isCaused,
  type PlaceCounts,
} from './conflicts.ts';

/** Smallest sets whose removal leaves no violation, the first ones in order of ids; `optimal` is false if a smaller one may exist. */
export interface Remediation {
  /** Requested refs to drop. */
  readonly drop: { readonly accessRefs: readonly AccessRef[]; readonly optimal: boolean };
  /** Held assignments to revoke; null where that does not help. */
  readonly revoke: { readonly assignments: readonly AccessRef[]; readonly optimal: boolean } | null;
}

// Work units of evaluating a conflict.
const CONFLICT_WORK = 8;
// The number of places counted in one unit of work.
const PLACES_PER_UNIT = 64;
// The most places that are counted without asking for a pause.
const BLOCK_PLACES = 4_096;

/**
 * Finds what to drop from a request, and what to revoke instead, so that `predict` finds no violation in any of the
 * access states, in steps. Exact where at most 12 refs, and 12 assignments, are involved.
 */
export function* remediate(
  index: SodIndex,
  accessStates: Iterable<AccessState>,
  budget: WorkBudget,
): Steps<Remediation> {
  const bytesBefore = budget.bytes;
  try {
    return yield* findRemediation(index, accessStates, budget);
  } finally {
    // Its lists end with it.
    releaseBytes(budget, budget.bytes - bytesBefore);
  }
}

function* findRemediation(
  index: SodIndex,
  accessStates: Iterable<AccessState>,
  budget: WorkBudget,
): Steps<Remediation> {
  const { conflicts, dropable, revocable, add } = createGathering(index, budget);
  for (const accessState of accessStates) yield* add(accessState);
  const refs = yield* createProviders(dropable, conflicts, budget);
  const held = yield* createProviders(revocable, conflicts, budget);
  const owned = yield* withoutRequested(held, refs.counts, budget);
  const isClean = createIsClean(conflicts, { requested: refs.counts, held: owned.counts }, budget);
  const choosing = { isClean, weights: yield* weigh(conflicts, budget), budget };
  const dropped = yield* choose(yield* selectionOf(refs, choosing));
  const revoked = yield* choose(yield* selectionOf(owned, choosing));
  return {
    // Dropping all refs leaves an empty request, which violates nothing.
    drop: { accessRefs: pick(refs, dropped), optimal: dropped?.optimal ?? false },
    revoke: revoked === null ? null : { assignments: pick(owned, revoked), optimal: revoked.optimal },
  };
}

interface Providers {
  /** In order of ids. */
  readonly candidates: readonly Candidate[];
  /** For each place the number of remaining candidates that give it. */
  readonly counts: Uint32Array;
}

function* createProviders(byId: CandidatesById, { placeCount }: Conflicts, budget: WorkBudget): Steps<Providers> {
  const keyed = sortById(Array.from(byId, ([id, candidate]) => ({ id, candidate })));
  const candidates = keyed.map(({ candidate }) => candidate);
  const counts = new Uint32Array(placeCount);
  takeBytes(budget, counts.byteLength);
  for (const candidate of candidates) yield* changeCounts(counts, candidate, { by: 1, budget });
  return { candidates, counts };
}

function* changeCounts(
  counts: Uint32Array,
  { places: { values, length } }: Pick<Candidate, 'places'>,
  { by, budget }: { readonly by: number; readonly budget: WorkBudget },
): Steps<void> {
  for (let from = 0; from < length; from += BLOCK_PLACES) {
    const end = Math.min(from + BLOCK_PLACES, length);
    for (let at = from; at < end; at++) {
      const place = values[at] ?? 0;
      counts[place] = (counts[place] ?? 0) + by;
    }
    if (isPauseDue(budget, 1 + (end - from) / PLACES_PER_UNIT)) yield;
  }
}

/** An assignment whose items are all requested too is no candidate: to revoke it changes nothing. */
function* withoutRequested(
  { candidates, counts }: Providers,
  requested: Uint32Array,
  budget: WorkBudget,
): Steps<Providers> {
  const remaining: Candidate[] = [];
  for (const candidate of candidates) {
    const { values, length } = candidate.places;
    let isRequested = true;
    for (let from = 0; from < length && isRequested; from += BLOCK_PLACES) {
      const end = Math.min(from + BLOCK_PLACES, length);
      let at = from;
      while (at < end && (requested[values[at] ?? 0] ?? 0) > 0) at++;
      isRequested = at === end;
      if (isPauseDue(budget, 1 + (at - from) / PLACES_PER_UNIT)) yield;
    }
    if (!isRequested) remaining.push(candidate);
  }
  return { candidates: remaining, counts };
}

const pick = ({ candidates }: Providers, choice: Choice | null): readonly AccessRef[] =>
  choice === null ? candidates.map(({ ref }) => ref) : choice.chosen.flatMap((at) => candidates[at]?.ref ?? []);

type IsClean = () => Steps<boolean>;

interface Choosing {
  readonly isClean: IsClean;
  readonly weights: Float64Array;
  readonly budget: WorkBudget;
}

/** The choice of candidates to remove, so that no violation is left. */
function* selectionOf({ candidates, counts }: Providers, { isClean, weights, budget }: Choosing): Steps<Selection> {
  const weightOf = new Float64Array(candidates.length);
  for (const [at, { places }] of candidates.entries()) weightOf[at] = yield* weightOfPlaces(places, weights, budget);
  const change = function* (removed: ReadonlySet<number>, by: number): Steps<void> {
    for (const at of removed) {
      const candidate = candidates[at];
      if (candidate !== undefined) yield* changeCounts(counts, candidate, { by, budget });
    }
  };
  return {
    count: candidates.length,
    weightOf: (at) => weightOf[at] ?? 0,
    *isEnough(removed) {
      yield* change(removed, -1);
      const isEnough = yield* isClean();
      yield* change(removed, 1);
      return isEnough;
    },
  };
}

function* weightOfPlaces(
  { values, length }: Candidate['places'],
  weights: Float64Array,
  budget: WorkBudget,
): Steps<number> {
  let weight = 0;
  for (let from = 0; from < length; from += BLOCK_PLACES) {
    const end = Math.min(from + BLOCK_PLACES, length);
    for (let place = from; place < end; place++) weight += weights[values[place] ?? 0] ?? 0;
    if (isPauseDue(budget, 1 + (end - from) / PLACES_PER_UNIT)) yield;
  }
  return weight;
}

/** The benefit of removing an item: higher for fewer items on its side of a conflict. */
function* weigh(conflicts: Conflicts, budget: WorkBudget): Steps<Float64Array> {
  const weights = new Float64Array(conflicts.placeCount);
  takeBytes(budget, weights.byteLength);
  const places = conflicts.places.values;
  const starts = conflicts.sideStarts.values;
  for (let side = 0; side < conflicts.sideStarts.length - 1; side++) {
    const start = starts[side] ?? 0;
    const end = starts[side + 1] ?? 0;
    for (let at = start; at < end; at++) weights[places[at] ?? 0] = (weights[places[at] ?? 0] ?? 0) + 1 / (end - start);
    if (isPauseDue(budget, 1 + (end - start) / PLACES_PER_UNIT)) yield;
  }
  return weights;
}

/** Whether no conflict is left. The conflict found last is tested first, as it is likely to be left again. */
function createIsClean(conflicts: Conflicts, counts: PlaceCounts, budget: WorkBudget): IsClean {
  const count = conflicts.atLeast.length;
  let last = 0;
  return function* () {
    for (let step = 0; step < count; step++) {
      const conflict = (last + step) % count;
      if (isCaused(conflicts, conflict, counts)) {
        last = conflict;
        return false;
      }
      if (isPauseDue(budget, CONFLICT_WORK)) yield;
    }
    return true;
  };
}
