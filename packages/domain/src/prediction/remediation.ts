import type { AccessRef } from '../access-model/records.ts';
import { entitlementsOf, expandAccess } from '../evaluation/expand-access.ts';
import { tableOf } from '../evaluation/find-violated.ts';
import type { MarkedAccess, SideRow } from '../evaluation/marked-access.ts';
import { kOfNAt } from '../rulebook/policy-table.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { createWorkBudget, isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { AccessGraph } from './explain-access.ts';
import { writeViolationsInSteps } from './predict-json-in-steps.ts';
import { type Choice, choose, type Selection } from './smallest-set.ts';

/** What would make a request clean: smallest sets, those first in order of ids; `optimal` false where a smaller one may exist. */
export interface Remediation {
  /** Requested refs to do without. */
  readonly drop: { readonly accessRefs: readonly AccessRef[]; readonly optimal: boolean };
  /** Held assignments to give up; null where that does not help. */
  readonly revoke: { readonly assignments: readonly AccessRef[]; readonly optimal: boolean } | null;
}

// The work of a fraction of a millisecond: so many conflicts judged, or a part of that.
const STEP_WORK = 128;
const LIGHT = 16;

/** What is held and what is requested at one moment. Refs that the catalogue lacks count for nothing. */
export type AccessState = Pick<AccessGraph, 'assignments' | 'requested'>;

/**
 * Finds what to drop from a request, and what to revoke instead, so that `predict` answers no violation in any of the
 * situations, in steps. Exact where at most 12 refs, and 12 assignments, are involved.
 */
export function* remediateInSteps(index: SodIndex, accessStates: Iterable<AccessState>): Steps<Remediation> {
  const budget = createWorkBudget(STEP_WORK);
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
  const judge = createEvaluator(conflicts, { requested: refs.counts, held: owned.counts }, budget);
  const weights = yield* weigh(conflicts, placeCount, budget);
  const dropped = yield* choose(selectionOf(refs, judge, weights));
  const revoked = yield* choose(selectionOf(owned, judge, weights));
  return {
    // Without any ref nothing is requested any more.
    drop: { accessRefs: pick(refs, dropped), optimal: dropped?.optimal ?? false },
    revoke: revoked === null ? null : { assignments: pick(owned, revoked), optimal: revoked.optimal },
  };
}

function add(places: Map<number, number>, item: number, place: number): number {
  places.set(item, place);
  return place;
}

/**
 * The sides of a policy that are held, and of how many of them one item each violates it. Each item of each situation has a
 * place of its own.
 */
interface Conflict {
  readonly sides: readonly (readonly number[])[];
  readonly atLeast: number;
}

interface ConflictSink {
  readonly conflicts: Conflict[];
  readonly placeOf: (item: number) => number;
  readonly budget: WorkBudget;
}

/**
 * The policies that held and requested access violate together and that a requested item takes part in: whatever is taken
 * away, the violations left are among these. That an item is held already does not matter: it may be given up.
 */
function* gatherConflicts(
  index: SodIndex,
  accessState: AccessState,
  { conflicts, placeOf, budget }: ConflictSink,
): Steps<void> {
  const requested = expandAccess(index, accessState.requested).entitlements;
  const isRequested = new Set(requested);
  const held = expandAccess(index, accessState.assignments).entitlements.filter((number) => !isRequested.has(number));
  const write = (_: SodIndex, violated: number, access: MarkedAccess) => {
    const { sides, atLeast } = sidesAt(index, violated, access);
    conflicts.push({ sides: sides.map((items) => items.map(placeOf)), atLeast });
    return '';
  };
  const writer = { stepWork: budget.limit, write };
  for (const _ of writeViolationsInSteps(index, { held, parts: [requested] }, writer)) yield;
}

/** The items of each side of a policy that was found violated, as far as they are held or requested. */
function sidesAt(index: SodIndex, violated: number, access: MarkedAccess): Conflict {
  const { table, number } = tableOf(index, violated);
  const wide = kOfNAt(table, number);
  const rows = wide === null ? table.sides : wide.wide.sides;
  const from = wide === null ? number * 2 : (wide.wide.sideStarts[wide.place] ?? 0);
  const end = wide === null ? from + 2 : (wide.wide.sideStarts[wide.place + 1] ?? 0);
  const sides = Array.from({ length: end - from }, (_, at) => itemsOf({ rows, row: from + at }, access));
  return { sides, atLeast: wide === null ? 2 : (wide.wide.atLeast[wide.place] ?? 0) };
}

const itemsOf = ({ rows: { starts, values }, row }: SideRow, { marks, heldMark }: MarkedAccess): readonly number[] =>
  Array.from(values.subarray(starts[row], starts[row + 1])).filter((item) => (marks[item] ?? 0) >= heldMark);

/** A ref that gives items of conflicts, by their places. */
interface Candidate {
  readonly ref: AccessRef;
  readonly places: number[];
}

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
    const given = Array.from(items).flatMap((item) => places.get(item) ?? []);
    if (isPauseDue(budget, (1 + items.length) / LIGHT)) yield;
    if (given.length === 0) continue;
    const known = candidates.get(key);
    if (known === undefined) candidates.set(key, { ref: { type, id }, places: given });
    else for (const place of given) known.places.push(place);
  }
}

interface Providers {
  /** In order of ids. */
  readonly candidates: readonly Candidate[];
  /** For each place how many of the candidates that are left give it. */
  readonly counts: Uint32Array;
}

function createProviders(byId: CandidatesById, placeCount: number): Providers {
  const candidates = [...byId].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, candidate]) => candidate);
  const counts = new Uint32Array(placeCount);
  for (const { places } of candidates) for (const place of places) counts[place] = (counts[place] ?? 0) + 1;
  return { candidates, counts };
}

/** Who gives nothing but what is requested as well is no candidate: it would come again. */
const withoutRequested = ({ candidates, counts }: Providers, requested: Uint32Array): Providers => ({
  candidates: candidates.filter(({ places }) => places.some((place) => (requested[place] ?? 0) === 0)),
  counts,
});

const pick = ({ candidates }: Providers, choice: Choice | null): readonly AccessRef[] =>
  choice === null ? candidates.map(({ ref }) => ref) : choice.chosen.flatMap((at) => candidates[at]?.ref ?? []);

type Judge = () => Steps<boolean>;

/** Which candidates to do without, so that nothing is violated. */
const selectionOf = ({ candidates, counts }: Providers, isClean: Judge, weights: Float64Array): Selection => ({
  count: candidates.length,
  weightOf: (at) => (candidates[at]?.places ?? []).reduce((sum, place) => sum + (weights[place] ?? 0), 0),
  *isEnough(gone) {
    const change = (by: number) => {
      for (const at of gone)
        for (const place of candidates[at]?.places ?? []) counts[place] = (counts[place] ?? 0) + by;
    };
    change(-1);
    const isEnough = yield* isClean();
    change(1);
    return isEnough;
  },
});

/** What an item is worth: the fewer there are on its side of a conflict, the more it helps to be without it. */
function* weigh(conflicts: readonly Conflict[], placeCount: number, budget: WorkBudget): Steps<Float64Array> {
  const weights = new Float64Array(placeCount);
  for (const { sides } of conflicts) {
    for (const items of sides) for (const item of items) weights[item] = (weights[item] ?? 0) + 1 / items.length;
    if (isPauseDue(budget, 1)) yield;
  }
  return weights;
}

interface Counts {
  readonly requested: Uint32Array;
  readonly held: Uint32Array;
}

/** Whether no conflict is left. What was in the way last is looked at first: it mostly still is. */
function createEvaluator(conflicts: readonly Conflict[], counts: Counts, budget: WorkBudget): Judge {
  let last = 0;
  return function* () {
    for (let step = 0; step < conflicts.length; step++) {
      const at = (last + step) % conflicts.length;
      const conflict = conflicts[at];
      if (conflict !== undefined && isCaused(conflict, counts)) {
        last = at;
        return false;
      }
      if (isPauseDue(budget, 1)) yield;
    }
    return true;
  };
}

/** Whether enough sides have an item, one of all these items being new. */
function isCaused({ sides, atLeast }: Conflict, { requested, held }: Counts): boolean {
  let met = 0;
  let isNew = false;
  for (const items of sides) {
    let isMet = false;
    for (const item of items) {
      const isHeld = (held[item] ?? 0) > 0;
      const isGained = !isHeld && (requested[item] ?? 0) > 0;
      isMet ||= isHeld || isGained;
      isNew ||= isGained;
    }
    if (isMet) met++;
  }
  return isNew && met >= atLeast;
}
