import type { AccessRef } from '../../access/model/records.ts';
import { type Entitlements, entitlementsOf } from '../evaluation/access.ts';
import type { AccessState } from '../evaluation/access-states.ts';
import { search } from '../evaluation/search.ts';
import { itemsBySide, policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';

/** A ref that gives items of violated policies. */
export interface Candidate {
  readonly ref: AccessRef;
  /** The benefit of removing it: higher for more items, and for fewer other items on their sides. */
  readonly weight: number;
}

/** The violations of access states that candidates can end by being removed. */
export interface Conflicts {
  /** In order of ids. */
  readonly candidates: readonly Candidate[];
  /** How many policies each state violates, which is the work of looking at it again. */
  readonly states: readonly number[];
  /** Whether a violation is left in a state, to which something that is only requested contributes, once candidates are removed. */
  isLeft(state: number, removed: ReadonlySet<number>): boolean;
}

/** A ref of a state, with those of its entitlements that are items of violated policies. */
interface Part {
  readonly key: string;
  readonly ref: AccessRef;
  readonly entitlements: readonly number[];
}

/** After any removal the remaining violations are among these policies, by the items that are there. */
interface ViolatingState {
  readonly policyCount: number;
  readonly requested: readonly Part[];
  readonly held: readonly Part[];
  /** Neither to be dropped nor to be revoked. */
  readonly pending: readonly Part[];
}

/**
 * Gathers the violations of access states and the refs that cause them, those to drop from the request and those to revoke.
 * Yields after each piece of the work.
 */
export function* gatherConflicts(
  index: SodIndex,
  accessStates: Iterable<AccessState>,
): Generator<undefined, { readonly drop: Conflicts; readonly revoke: Conflicts }> {
  const states: ViolatingState[] = [];
  const dropped = new Map<string, Candidate>();
  const revoked = new Map<string, Candidate>();
  const useful = new Set<string>();
  for (const state of accessStates) {
    const found = yield* violationsOf(index, state);
    if (found === null) continue;
    const { weights, ...violating } = found;
    states.push(violating);
    const isRequested = new Uint8Array(weights.length);
    for (const part of violating.requested) {
      weigh(part, weights, dropped);
      for (const item of part.entitlements) isRequested[item] = 1;
    }
    for (const part of violating.pending) for (const item of part.entitlements) isRequested[item] = 1;
    for (const part of violating.held) {
      weigh(part, weights, revoked);
      if (part.entitlements.some((item) => isRequested[item] === 0)) useful.add(part.key);
    }
    yield;
  }
  // To revoke an assignment whose items are all requested or pending changes nothing: they come anyway.
  for (const key of revoked.keys()) if (!useful.has(key)) revoked.delete(key);
  return {
    drop: conflictsOf(dropped, states, ({ requested, held, pending }, isKept) => ({
      always: [...held, ...pending].map(({ entitlements }) => entitlements),
      requested: requested.filter(isKept),
    })),
    revoke: conflictsOf(revoked, states, ({ requested, held, pending }, isKept) => ({
      always: [...held.filter(isKept), ...pending].map(({ entitlements }) => entitlements),
      requested,
    })),
  };

  function conflictsOf(
    byKey: ReadonlyMap<string, Candidate>,
    violating: readonly ViolatingState[],
    accessOf: (
      state: ViolatingState,
      isKept: (part: Part) => boolean,
    ) => Pick<Parameters<typeof search>[1], 'always' | 'requested'>,
  ): Conflicts {
    const keys = [...byKey.keys()].sort();
    const numbers = new Map(keys.map((key, number) => [key, number]));
    return {
      candidates: keys.flatMap((key) => byKey.get(key) ?? []),
      states: violating.map(({ policyCount }) => policyCount),
      isLeft: (number, removed) => {
        const state = violating[number];
        if (state === undefined) return false;
        const access = accessOf(state, ({ key }) => !removed.has(numbers.get(key) ?? -1));
        return search(index, { ...access, timed: [] }, 1).policies.length > 0;
      },
    };
  }
}

/** What a state violates if all that is requested counts as gained; null for nothing. */
function* violationsOf(
  index: SodIndex,
  { requested, assignments, pending = [] }: AccessState,
): Generator<undefined, (ViolatingState & { readonly weights: Float64Array }) | null> {
  const asked = expandRefs(index, requested);
  const given = expandRefs(index, assignments);
  const underWay = expandRefs(index, pending);
  const { policies, access } = search(index, { always: [], timed: [...given, ...underWay], requested: asked });
  if (policies.length === 0) return null;
  // Before the first pause: another search in the same catalogue ends the marks of this one.
  const { marks, heldMark } = access;
  const weights = new Float64Array(marks.length);
  for (const policy of policies)
    for (const side of itemsBySide(policySidesAt(policyPlaceAt(index, policy)))) {
      let count = 0;
      for (const item of side) if ((marks[item] ?? 0) >= heldMark) count++;
      for (const item of side) if ((marks[item] ?? 0) >= heldMark) weights[item] = (weights[item] ?? 0) + 1 / count;
    }
  yield;
  const involved = {
    requested: yield* weighted(asked, weights),
    held: yield* weighted(given, weights),
    pending: yield* weighted(underWay, weights),
  };
  return { ...involved, policyCount: policies.length, weights };
}

type ExpandedRef = Omit<Part, 'entitlements'> & { readonly entitlements: Entitlements };

/** The refs that the catalogue has, each once. */
function expandRefs({ catalogue }: SodIndex, refs: readonly AccessRef[]): readonly ExpandedRef[] {
  const parts = new Map<string, ExpandedRef>();
  for (const { type, id } of refs) {
    const key = `${id} ${type}`;
    const entitlements = parts.has(key) ? undefined : entitlementsOf(catalogue, { type, id });
    if (entitlements !== undefined) parts.set(key, { key, ref: { type, id }, entitlements });
  }
  return [...parts.values()];
}

/** The refs with an item that has a weight, and these items. */
function* weighted(refs: readonly ExpandedRef[], weights: Float64Array): Generator<undefined, readonly Part[]> {
  const parts: Part[] = [];
  for (const { key, ref, entitlements } of refs) {
    const items = Array.from(entitlements).filter((item) => (weights[item] ?? 0) > 0);
    if (items.length > 0) parts.push({ key, ref, entitlements: items });
    yield;
  }
  return parts;
}

function weigh({ key, ref, entitlements }: Part, weights: Float64Array, candidates: Map<string, Candidate>): void {
  let weight = candidates.get(key)?.weight ?? 0;
  for (const item of entitlements) weight += weights[item] ?? 0;
  candidates.set(key, { ref, weight });
}
