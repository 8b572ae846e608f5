import type { AccessRef } from '../access-model/records.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { type Entitlements, entitlementsOf } from '../evaluation/expand-access.ts';
import { findViolations } from '../evaluation/find-violations.ts';
import { accessAt, releaseViolations } from '../evaluation/found-violations.ts';
import { isViolated, type ViolationRule } from '../evaluation/is-violated.ts';
import { policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { isPauseDue, type Steps, takeBytes, type WorkBudget } from '../steps/work-budget.ts';
import type { AccessState } from './access-states.ts';
import { type Choice, choose, type Selection } from './smallest-set.ts';

/** Smallest sets whose removal leaves no violation, the first ones in order of ids; `optimal` is false if a smaller one may exist. */
export interface Remediation {
  /** Requested refs to drop. */
  readonly drop: { readonly accessRefs: readonly AccessRef[]; readonly optimal: boolean };
  /** Held assignments to revoke; null where that does not help. */
  readonly revoke: { readonly assignments: readonly AccessRef[]; readonly optimal: boolean } | null;
}

// Work units of evaluating a conflict, and of looking up a ref or an item of it.
const CONFLICT_WORK = 8;
const ITEM_WORK = 0.5;

/**
 * Finds what to drop from a request, and what to revoke instead, so that `predict` finds no violation in any of the
 * access states, in steps. Exact where at most 12 refs, and 12 assignments, are involved.
 */
export function* remediate(
  index: SodIndex,
  accessStates: Iterable<AccessState>,
  budget: WorkBudget,
): Steps<Remediation> {
  const conflicts: Conflict[] = [];
  const dropable: CandidatesById = new Map();
  const revocable: CandidatesById = new Map();
  let placeCount = 0;
  for (const accessState of accessStates) {
    const places = new Map<number, number>();
    const placeOf = (item: number) => places.get(item) ?? add(places, item, placeCount++);
    yield* gatherConflicts(index, accessState, { conflicts, placeOf, budget });
    yield* gatherCandidates(index, accessState.requested, { candidates: dropable, places, budget });
    yield* gatherCandidates(index, accessState.assignments, { candidates: revocable, places, budget });
  }
  const refs = createProviders(dropable, placeCount);
  const owned = withoutRequested(createProviders(revocable, placeCount), refs.counts);
  const isClean = createIsClean(conflicts, { requested: refs.counts, held: owned.counts }, budget);
  const weights = yield* weigh(conflicts, placeCount, budget);
  const choosing = { isClean, weights, budget };
  const dropped = yield* choose(selectionOf(refs, choosing));
  const revoked = yield* choose(selectionOf(owned, choosing));
  return {
    // Dropping all refs leaves an empty request, which violates nothing.
    drop: { accessRefs: pick(refs, dropped), optimal: dropped?.optimal ?? false },
    revoke: revoked === null ? null : { assignments: pick(owned, revoked), optimal: revoked.optimal },
  };
}

function add(places: Map<number, number>, item: number, place: number): number {
  places.set(item, place);
  return place;
}

/** A violation: the items of its sides that are held or requested. Each item of each access state has a place of its own. */
interface Conflict extends ViolationRule {
  readonly sides: readonly (readonly number[])[];
}

interface ConflictSink {
  readonly conflicts: Conflict[];
  readonly placeOf: (item: number) => number;
  readonly budget: WorkBudget;
}

/**
 * The policies that held and requested access violate together with a contribution of a requested item. After any removal
 * the remaining violations are among these. An item may be held as well: that assignment may be revoked.
 */
function* gatherConflicts(
  index: SodIndex,
  accessState: AccessState,
  { conflicts, placeOf, budget }: ConflictSink,
): Steps<void> {
  const parts = yield* partsOf(index, accessState.requested, budget);
  const timed = { parts: yield* partsOf(index, accessState.assignments, budget), yieldsToRequest: true };
  const question = { kind: 'instant', ms: 0, held: NOTHING, parts, timed } as const;
  const found = yield* findViolations(index, question, { budget, keepsRuns: false });
  for (const [place, policy] of found.policies.entries()) {
    const { marks, heldMark } = accessAt(found, place);
    const { rows, first, ...rule } = policySidesAt(policyPlaceAt(index, policy));
    const isThere = (item: number) => (marks[item] ?? 0) >= heldMark;
    const itemsOf = (row: number) => Array.from(rowAt(rows, row).filter(isThere), placeOf);
    const sides = Array.from({ length: rule.sideCount }, (_, side) => itemsOf(first + side));
    conflicts.push({ ...rule, sides });
    takeBytes(
      budget,
      sides.reduce((bytes, { length }) => bytes + SIDE_BYTES + length * ITEM_BYTES, CONFLICT_BYTES),
    );
    if (isPauseDue(budget, CONFLICT_WORK)) yield;
  }
  releaseViolations(found);
}

const NOTHING = new Uint32Array();

// Estimates of memory: of an item in its side and in the place of its own, and of the rest.
const ITEM_BYTES = 24;
const SIDE_BYTES = 64;
const CONFLICT_BYTES = 128;

function* partsOf(index: SodIndex, refs: readonly AccessRef[], budget: WorkBudget): Steps<readonly Entitlements[]> {
  const parts: Entitlements[] = [];
  for (const ref of refs) {
    const part = entitlementsOf(index.catalogue, ref);
    if (part !== undefined) parts.push(part);
    if (isPauseDue(budget, 1)) yield;
  }
  return parts;
}

/** A ref that gives items of conflicts, by their places. */
interface Candidate {
  readonly ref: AccessRef;
  readonly places: number[];
}

// The memory of a place in the list of a candidate.
const PLACE_BYTES = 12;

type CandidatesById = Map<string, Candidate>;

function* gatherCandidates(
  { catalogue }: SodIndex,
  refs: readonly AccessRef[],
  sink: {
    readonly candidates: CandidatesById;
    readonly places: ReadonlyMap<number, number>;
    readonly budget: WorkBudget;
  },
): Steps<void> {
  const { candidates, places, budget } = sink;
  const seen = new Set<string>();
  for (const { type, id } of refs) {
    const key = `${id} ${type}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const items = entitlementsOf(catalogue, { type, id }) ?? [];
    const candidate: Candidate = candidates.get(key) ?? { ref: { type, id }, places: [] };
    const { places: given } = candidate;
    const before = given.length;
    for (let at = 0; at < items.length; at++) {
      const place = places.get(items[at] ?? 0);
      if (place !== undefined) given.push(place);
      if (isPauseDue(budget, ITEM_WORK)) yield;
    }
    takeBytes(budget, (given.length - before) * PLACE_BYTES);
    if (before === 0 && given.length > 0) candidates.set(key, candidate);
  }
}

interface Providers {
  /** In order of ids. */
  readonly candidates: readonly Candidate[];
  /** For each place the number of remaining candidates that give it. */
  readonly counts: Uint32Array;
}

function createProviders(byId: CandidatesById, placeCount: number): Providers {
  const candidates = [...byId].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, candidate]) => candidate);
  const counts = new Uint32Array(placeCount);
  for (const { places } of candidates) for (const place of places) counts[place] = (counts[place] ?? 0) + 1;
  return { candidates, counts };
}

/** An assignment whose items are all requested too is no candidate: to revoke it changes nothing. */
const withoutRequested = ({ candidates, counts }: Providers, requested: Uint32Array): Providers => ({
  candidates: candidates.filter(({ places }) => places.some((place) => (requested[place] ?? 0) === 0)),
  counts,
});

const pick = ({ candidates }: Providers, choice: Choice | null): readonly AccessRef[] =>
  choice === null ? candidates.map(({ ref }) => ref) : choice.chosen.flatMap((at) => candidates[at]?.ref ?? []);

type IsClean = () => Steps<boolean>;

interface Choosing {
  readonly isClean: IsClean;
  readonly weights: Float64Array;
  readonly budget: WorkBudget;
}

const NO_CANDIDATE: Pick<Candidate, 'places'> = { places: [] };
const PLACES_PER_UNIT = 64;

/** The choice of candidates to remove, so that no violation is left. */
const selectionOf = ({ candidates, counts }: Providers, { isClean, weights, budget }: Choosing): Selection => ({
  count: candidates.length,
  weightOf: (at) => (candidates[at]?.places ?? []).reduce((sum, place) => sum + (weights[place] ?? 0), 0),
  *isEnough(removed) {
    const change = function* (by: number): Steps<void> {
      for (const at of removed) {
        const { places } = candidates[at] ?? NO_CANDIDATE;
        for (const place of places) counts[place] = (counts[place] ?? 0) + by;
        if (isPauseDue(budget, 1 + places.length / PLACES_PER_UNIT)) yield;
      }
    };
    yield* change(-1);
    const isEnough = yield* isClean();
    yield* change(1);
    return isEnough;
  },
});

/** The benefit of removing an item: higher for fewer items on its side of a conflict. */
function* weigh(conflicts: readonly Conflict[], placeCount: number, budget: WorkBudget): Steps<Float64Array> {
  const weights = new Float64Array(placeCount);
  for (const { sides } of conflicts) {
    for (const items of sides) for (const item of items) weights[item] = (weights[item] ?? 0) + 1 / items.length;
    if (isPauseDue(budget, CONFLICT_WORK)) yield;
  }
  return weights;
}

interface Counts {
  readonly requested: Uint32Array;
  readonly held: Uint32Array;
}

/** Whether no conflict is left. The conflict found last is tested first, as it is likely to be left again. */
function createIsClean(conflicts: readonly Conflict[], counts: Counts, budget: WorkBudget): IsClean {
  let last = 0;
  return function* () {
    for (let step = 0; step < conflicts.length; step++) {
      const at = (last + step) % conflicts.length;
      const conflict = conflicts[at];
      if (conflict !== undefined && isCaused(conflict, counts)) {
        last = at;
        return false;
      }
      if (isPauseDue(budget, CONFLICT_WORK)) yield;
    }
    return true;
  };
}

/** Whether a violation is left, to which something that is only requested contributes. */
function isCaused(conflict: Conflict, { requested, held }: Counts): boolean {
  let isGained = false;
  for (const items of conflict.sides)
    for (const item of items) isGained ||= held[item] === 0 && (requested[item] ?? 0) > 0;
  const isThere = (item: number) => (held[item] ?? 0) > 0 || (requested[item] ?? 0) > 0;
  return isGained && isViolated(conflict, (side) => conflict.sides[side]?.some(isThere) === true);
}
