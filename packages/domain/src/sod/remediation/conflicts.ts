import type { AccessRef } from '../../access/model/records.ts';
import { type Entitlements, entitlementsOf } from '../evaluation/access.ts';
import type { AccessState } from '../evaluation/access-states.ts';
import { type Found as FoundPolicies, search } from '../evaluation/search.ts';
import { isViolated } from '../evaluation/timeline.ts';
import { policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';

/** A ref that gives items of violated policies. */
export interface Candidate {
  readonly ref: AccessRef;
  /** The benefit of removing it: higher for more items, and for fewer other items on their sides. */
  readonly weight: number;
}

/** The violations that candidates can end by being removed. */
export interface Conflicts {
  /** In order of ids. */
  readonly candidates: readonly Candidate[];
  readonly count: number;
  /**
   * Tells of each violation whether it is left, to which something that is only requested contributes, once candidates are
   * removed. Valid until the next call.
   */
  after(removed: ReadonlySet<number>): (conflict: number) => boolean;
  /** The number of sides looked at so far. */
  sidesEvaluated(): number;
}

/** Refs that give an item, by their numbers among all refs of a kind. */
type Providers = readonly number[];

interface Item {
  readonly requested: Providers;
  readonly held: Providers;
}

/** One violation; equal ones are kept once. */
interface Conflict {
  readonly atLeast: number;
  /** Numbers of items. */
  readonly sides: readonly (readonly number[])[];
}

/** The refs of one kind, requested or held. */
interface RefList {
  readonly numbers: Map<string, number>;
  readonly refs: AccessRef[];
  readonly weights: number[];
}

const createRefList = (): RefList => ({ numbers: new Map(), refs: [], weights: [] });

/**
 * Gathers the violations of access states and the refs that cause them. After any removal the remaining violations are among
 * these. Memory grows with the violations that differ in what provides their items.
 */
export function createConflicts(index: SodIndex) {
  const conflicts = new Map<string, Conflict>();
  const requested = createRefList();
  const held = createRefList();
  const items = createItems();
  /** For each entitlement its place among the items of the violations of one access state, from 1 on; 0 for all others. */
  const places = new Uint32Array(index.catalogue.entitlements.length);

  const weigh = (item: Item, weight: number): void => {
    for (const number of item.requested) requested.weights[number] = (requested.weights[number] ?? 0) + weight;
    for (const number of item.held) held.weights[number] = (held.weights[number] ?? 0) + weight;
  };
  /** Yields after each piece of the work. */
  function* add({ requested: accessRefs, assignments }: AccessState): Generator<undefined, void> {
    const asked = numberRefs(index, accessRefs, requested);
    const given = numberRefs(index, assignments, held);
    // An item may be held as well: that assignment may be revoked.
    const { policies, access } = search(index, { always: [], timed: given, requested: asked });
    if (policies.length === 0) return;
    places.fill(0);
    // A copy: another search in the same catalogue ends the marks of this one.
    const found = { policies, access: { ...access, marks: access.marks.slice() } };
    yield;
    const involved = yield* placeItems(index, found, places);
    yield* addProviders(asked, places, (place, number) => involved[place]?.requested.push(number));
    yield* addProviders(given, places, (place, number) => involved[place]?.held.push(number));
    const numbers: (number | undefined)[] = [];
    for (const policy of policies) {
      const sides = policySidesAt(policyPlaceAt(index, policy));
      const distinct: (readonly number[])[] = [];
      for (let side = 0; side < sides.sideCount; side++) {
        const row = sides.first + side;
        const ofSide: number[] = [];
        for (let at = sides.rows.starts[row] ?? 0; at < (sides.rows.starts[row + 1] ?? 0); at++) {
          const place = places[sides.rows.values[at] ?? 0] ?? 0;
          if (place === 0) continue;
          const number = numbers[place - 1] ?? items.numberOf(involved[place - 1] ?? NO_ITEM);
          numbers[place - 1] = number;
          ofSide.push(number);
        }
        for (const number of ofSide) weigh(items.at(number), 1 / ofSide.length);
        distinct.push(ofSide.length < 2 ? ofSide : [...new Set(ofSide)].sort((a, b) => a - b));
      }
      const key = `${sides.atLeast} ${distinct.map((ofSide) => ofSide.join()).join(' ')}`;
      if (!conflicts.has(key)) conflicts.set(key, { atLeast: sides.atLeast, sides: distinct });
      yield;
    }
  }
  return {
    add,
    conflicts: () => {
      const found = { conflicts: [...conflicts.values()], items: items.all };
      return { drop: dropping(found, requested), revoke: revoking(found, held) };
    },
  };
}

interface ItemProviders {
  readonly requested: number[];
  readonly held: number[];
}

/** Gives each item that is there in a violation a place, from 1 on, and an entry for its providers. */
function* placeItems(
  index: SodIndex,
  { policies, access: { marks, heldMark } }: FoundPolicies,
  places: Uint32Array,
): Generator<undefined, ItemProviders[]> {
  const involved: ItemProviders[] = [];
  for (const policy of policies) {
    const { rows, first, sideCount } = policySidesAt(policyPlaceAt(index, policy));
    const end = rows.starts[first + sideCount] ?? 0;
    for (let at = rows.starts[first] ?? 0; at < end; at++) {
      const item = rows.values[at] ?? 0;
      if (places[item] === 0 && (marks[item] ?? 0) >= heldMark)
        places[item] = involved.push({ requested: [], held: [] });
    }
    yield;
  }
  return involved;
}

function* addProviders(
  refs: ReturnType<typeof numberRefs>,
  places: Uint32Array,
  addTo: (index: number, ref: number) => void,
): Generator<undefined, void> {
  for (const { number, entitlements } of refs) {
    for (let at = 0; at < entitlements.length; at++) {
      const place = places[entitlements[at] ?? 0] ?? 0;
      if (place > 0) addTo(place - 1, number);
    }
    yield;
  }
}

/** Items by their providers: equal ones have one number. */
function createItems() {
  const numbers = new Map<string, number>();
  const items: Item[] = [];
  const all: readonly Item[] = items;
  return {
    numberOf: (item: Item): number => {
      const key = `${item.requested.join()} ${item.held.join()}`;
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, items.length);
      return items.push(item) - 1;
    },
    at: (number: number): Item => items[number] ?? NO_ITEM,
    all,
  };
}

const NO_ITEM: Item = { requested: [], held: [] };

/** The refs that the catalogue has, each once, with their numbers in the list. */
function numberRefs(index: SodIndex, refs: readonly AccessRef[], list: RefList) {
  const found = new Map<number, { readonly number: number; readonly entitlements: Entitlements }>();
  for (const { type, id } of refs) {
    const key = `${id} ${type}`;
    let number = list.numbers.get(key);
    if (number === undefined) {
      number = list.refs.push({ type, id }) - 1;
      list.numbers.set(key, number);
    }
    if (found.has(number)) continue;
    const entitlements = entitlementsOf(index.catalogue, { type, id });
    if (entitlements !== undefined) found.set(number, { number, entitlements });
  }
  return [...found.values()];
}

/** The violations, and the items that they name by number: each of them is in a violation. */
interface Found {
  readonly conflicts: readonly Conflict[];
  readonly items: readonly Item[];
}

/** To drop a requested ref takes its items away, those that are held excepted. */
function dropping(found: Found, list: RefList): Conflicts {
  const candidates = candidatesOf(list, (number) => (list.weights[number] ?? 0) > 0);
  return conflictsOf(found, candidates, {
    isThere: ({ requested, held }, isGone) => held.length > 0 || !isGone(requested),
    isGained: ({ requested, held }, isGone) => held.length === 0 && !isGone(requested),
  });
}

/**
 * To revoke an assignment takes its items away, those that are requested excepted: they are gained instead. One whose items
 * are all requested is no candidate, as to revoke it changes nothing.
 */
function revoking(found: Found, list: RefList): Conflicts {
  const useful = new Set<number>();
  for (const { requested, held } of found.items)
    if (requested.length === 0) for (const number of held) useful.add(number);
  const candidates = candidatesOf(list, (number) => useful.has(number));
  return conflictsOf(found, candidates, {
    isThere: ({ requested, held }, isGone) => requested.length > 0 || !isGone(held),
    isGained: ({ requested, held }, isGone) => requested.length > 0 && isGone(held),
  });
}

/** Whether all of these refs are removed. */
type IsGone = (providers: Providers) => boolean;

/** What becomes of an item once refs are removed: whether the identity has it, and whether it is then only requested. */
interface Removal {
  isThere(item: Item, isGone: IsGone): boolean;
  isGained(item: Item, isGone: IsGone): boolean;
}

// What is known of an item after a removal.
const UNKNOWN = 0;
const ABSENT = 1;
const PRESENT = 2;
const GAINED = 3;

function conflictsOf(
  { conflicts, items }: Found,
  { all, numberOf }: ReturnType<typeof candidatesOf>,
  { isThere, isGained }: Removal,
): Conflicts {
  let sidesEvaluated = 0;
  // Many violations share an item: what becomes of it is found out once for each removal.
  const states = new Uint8Array(items.length);
  return {
    candidates: all,
    count: conflicts.length,
    sidesEvaluated: () => sidesEvaluated,
    after: (removed) => {
      states.fill(UNKNOWN);
      const isGone: IsGone = (providers) => providers.every((number) => removed.has(numberOf(number)));
      const stateOf = (number: number): number => {
        const known = states[number] ?? UNKNOWN;
        if (known !== UNKNOWN) return known;
        const item = items[number] ?? NO_ITEM;
        const state = isGained(item, isGone) ? GAINED : isThere(item, isGone) ? PRESENT : ABSENT;
        states[number] = state;
        return state;
      };
      return (conflict) => {
        const { atLeast, sides } = conflicts[conflict] ?? NO_CONFLICT;
        sidesEvaluated += sides.length;
        return (
          sides.some((side) => side.some((item) => stateOf(item) === GAINED)) &&
          isViolated({ sideCount: sides.length, atLeast }, (side) =>
            (sides[side] ?? []).some((item) => stateOf(item) !== ABSENT),
          )
        );
      };
    },
  };
}

const NO_CONFLICT: Conflict = { atLeast: 1, sides: [] };

/** The refs that may be removed, in order of their keys, and the number of each among them; -1 for the others. */
function candidatesOf({ numbers, refs, weights }: RefList, isCandidate: (number: number) => boolean) {
  const chosen = [...numbers].filter(([, number]) => isCandidate(number)).sort(([a], [b]) => (a < b ? -1 : 1));
  const all = chosen.flatMap(([, number]): Candidate[] => {
    const ref = refs[number];
    return ref === undefined ? [] : [{ ref, weight: weights[number] ?? 0 }];
  });
  const places = new Map(chosen.map(([, number], place) => [number, place]));
  return { all, numberOf: (number: number): number => places.get(number) ?? -1 };
}
