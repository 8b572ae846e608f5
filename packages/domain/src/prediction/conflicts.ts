import type { AccessRef } from '../access-model/records.ts';
import { idCount } from '../collections/id-dictionary.ts';
import { addNumber, createNumberList, type NumberList } from '../collections/number-list.ts';
import { type Entitlements, entitlementsOf } from '../evaluation/expand-access.ts';
import { findViolations } from '../evaluation/find-violations.ts';
import { accessAt, releaseViolations } from '../evaluation/found-violations.ts';
import { isViolated } from '../evaluation/is-violated.ts';
import { policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { isPauseDue, type Steps, takeBytes, type WorkBudget } from '../steps/work-budget.ts';
import type { AccessState } from './access-states.ts';

/**
 * The violations of some access states, with the items of their sides that are held or requested. Each item of each access
 * state has a place of its own, from 0 on.
 */
export interface Conflicts {
  placeCount: number;
  /** The places of the items, side by side. */
  readonly places: NumberList;
  /** Side `s` has the items from `sideStarts[s]` up to, and without, `sideStarts[s + 1]`. */
  readonly sideStarts: NumberList;
  /** Conflict `c` has the sides from `starts[c]` up to, and without, `starts[c + 1]`. */
  readonly starts: NumberList;
  /** The number of sides on which access violates the policy of each conflict. */
  readonly atLeast: NumberList;
}

/** A ref that gives items of conflicts, by their places. */
export interface Candidate {
  readonly ref: AccessRef;
  readonly places: NumberList;
}

/** The candidates by the key of their ref. */
export type CandidatesById = Map<string, Candidate>;

// Work units of gathering a conflict.
const CONFLICT_WORK = 8;
// The number of items looked up in one unit of work.
const ITEMS_PER_UNIT = 16;
// The memory of a place in a list that grows.
const PLACE_BYTES = 6;

/** Gathers the conflicts of access states, and the refs that cause them. */
export function createGathering(index: SodIndex, budget: WorkBudget) {
  const conflicts: Conflicts = {
    ...{ placeCount: 0, places: createNumberList(), atLeast: createNumberList() },
    ...{ sideStarts: createNumberList(), starts: createNumberList() },
  };
  addNumber(conflicts.sideStarts, 0);
  addNumber(conflicts.starts, 0);
  // For each entitlement its place in the access state, plus one; 0 where it is in no conflict.
  const slots = new Uint32Array(idCount(index.catalogue.numbers.ids));
  takeBytes(budget, slots.byteLength);
  const dropable: CandidatesById = new Map();
  const revocable: CandidatesById = new Map();
  const gathering = { index, budget, conflicts, slots };
  return {
    conflicts,
    dropable,
    revocable,
    /** Adds an access state, in steps. */
    *add(accessState: AccessState): Steps<void> {
      const first = conflicts.places.length;
      yield* gatherConflicts(accessState, gathering);
      yield* gatherCandidates(accessState.requested, dropable, gathering);
      yield* gatherCandidates(accessState.assignments, revocable, gathering);
      if (conflicts.places.length > first) slots.fill(0);
    },
  };
}

interface Gathering {
  readonly index: SodIndex;
  readonly budget: WorkBudget;
  readonly conflicts: Conflicts;
  readonly slots: Uint32Array;
}

const NOTHING = new Uint32Array();

/**
 * The policies that held and requested access violate together with a contribution of a requested item. After any removal
 * the remaining violations are among these. An item may be held as well: that assignment may be revoked.
 */
function* gatherConflicts(accessState: AccessState, { index, budget, conflicts, slots }: Gathering): Steps<void> {
  const parts = yield* partsOf(index, accessState.requested, budget);
  const timed = { parts: yield* partsOf(index, accessState.assignments, budget), yieldsToRequest: true };
  const question = { kind: 'instant', ms: 0, held: NOTHING, parts, timed } as const;
  const found = yield* findViolations(index, question, { budget, keepsRuns: false });
  const { places, sideStarts, starts, atLeast } = conflicts;
  for (const [place, policy] of found.policies.entries()) {
    const { marks, heldMark } = accessAt(found, place);
    const { rows, first, ...rule } = policySidesAt(policyPlaceAt(index, policy));
    const before = places.length;
    for (let side = first; side < first + rule.sideCount; side++) {
      for (let at = rows.starts[side] ?? 0; at < (rows.starts[side + 1] ?? 0); at++) {
        const item = rows.values[at] ?? 0;
        if ((marks[item] ?? 0) < heldMark) continue;
        if (slots[item] === 0) slots[item] = ++conflicts.placeCount;
        addNumber(places, (slots[item] ?? 0) - 1);
      }
      addNumber(sideStarts, places.length);
    }
    addNumber(starts, sideStarts.length - 1);
    addNumber(atLeast, rule.atLeast);
    takeBytes(budget, (places.length - before + rule.sideCount + 2) * PLACE_BYTES);
    if (isPauseDue(budget, CONFLICT_WORK + (places.length - before) / ITEMS_PER_UNIT)) yield;
  }
  releaseViolations(found);
}

function* partsOf(index: SodIndex, refs: readonly AccessRef[], budget: WorkBudget): Steps<readonly Entitlements[]> {
  const parts: Entitlements[] = [];
  for (const ref of refs) {
    const part = entitlementsOf(index.catalogue, ref);
    if (part !== undefined) parts.push(part);
    if (isPauseDue(budget, 1)) yield;
  }
  return parts;
}

function* gatherCandidates(
  refs: readonly AccessRef[],
  candidates: CandidatesById,
  { index, budget, slots }: Gathering,
): Steps<void> {
  const seen = new Set<string>();
  for (const { type, id } of refs) {
    const key = `${id} ${type}`;
    if (isPauseDue(budget, 1)) yield;
    if (seen.has(key)) continue;
    seen.add(key);
    const items = entitlementsOf(index.catalogue, { type, id }) ?? [];
    const { places } = candidates.get(key) ?? { places: createNumberList() };
    const before = places.length;
    for (let at = 0; at < items.length; at++) {
      const place = slots[items[at] ?? 0] ?? 0;
      if (place > 0) addNumber(places, place - 1);
      if (isPauseDue(budget, 1 / ITEMS_PER_UNIT)) yield;
    }
    takeBytes(budget, (places.length - before) * PLACE_BYTES);
    if (before === 0 && places.length > 0) candidates.set(key, { ref: { type, id }, places });
  }
}

/** For each place how many of the refs that give it are left: requested and held ones. */
export interface PlaceCounts {
  readonly requested: Uint32Array;
  readonly held: Uint32Array;
}

/** Whether a violation is left, to which something that is only requested contributes. */
export function isCaused(conflicts: Conflicts, conflict: number, { requested, held }: PlaceCounts): boolean {
  const places = conflicts.places.values;
  const sideStarts = conflicts.sideStarts.values;
  const first = conflicts.starts.values[conflict] ?? 0;
  const end = conflicts.starts.values[conflict + 1] ?? 0;
  let isGained = false;
  const itemEnd = sideStarts[end] ?? 0;
  for (let at = sideStarts[first] ?? 0; at < itemEnd && !isGained; at++) {
    const place = places[at] ?? 0;
    isGained = held[place] === 0 && (requested[place] ?? 0) > 0;
  }
  if (!isGained) return false;
  const isOn = (side: number) => {
    const sideEnd = sideStarts[first + side + 1] ?? 0;
    for (let at = sideStarts[first + side] ?? 0; at < sideEnd; at++) {
      const place = places[at] ?? 0;
      if ((held[place] ?? 0) > 0 || (requested[place] ?? 0) > 0) return true;
    }
    return false;
  };
  return isViolated({ sideCount: end - first, atLeast: conflicts.atLeast.values[conflict] ?? 0 }, isOn);
}
