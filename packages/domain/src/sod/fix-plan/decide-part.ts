import { compareLists } from './reduce.ts';
import { type Option, sum } from './search-group.ts';

/** Groups that compete for scarce entitlements. */
export interface Part {
  /** The options of each group, the best first, in order of the groups. */
  readonly options: readonly (readonly Option[])[];
  /** How many of its holders may lose each scarce entitlement. */
  readonly spare: ReadonlyMap<number, number>;
}

/** An option for each group. */
export interface Decision {
  readonly chosen: readonly Option[];
  /** Whether no other choice among the options is better. */
  readonly isBest: boolean;
  /** No choice among the options ends more violations. */
  readonly endedMax: number;
  /** No choice that ends as many violations as this one, or more, has fewer revocations. */
  readonly refsMin: number;
}

const ROUNDS_MAX = 120;
const STEPS_MAX = 60_000;
const STEPS_AT_ONCE = 500;

/**
 * Chooses an option for each group, so that no scarce entitlement is lost more often than holders can be spared. Prices on
 * scarce entitlements (Lagrangian relaxation) bound what a branch can still reach. Yields after each piece of the work.
 */
export function* decidePart({ options, spare }: Part): Generator<undefined, Decision> {
  const values = valuesOf(options);
  const wished = options.map(([first = NO_OPTION]) => first);
  if (isWithin(usesOf(wished), spare)) return decisionOf(wished, { most: values.of(wished), isBest: true });
  let best = yield* improve(
    options,
    spare,
    wished.map(() => NO_OPTION),
  );
  let prices = new Map<number, number>();
  let bound = Number.POSITIVE_INFINITY;
  let lowest = prices;
  let step = 1;
  for (let round = 0, stale = 0; round < ROUNDS_MAX && values.of(best) < bound; round++) {
    const preferred = options.map((own) => preferredAt(own, prices));
    const uses = usesOf(preferred);
    const reached = sum(preferred.map((option) => valueAt(option, prices))) + priceOf(spare, prices);
    if (reached < bound) [bound, lowest, stale] = [reached, prices, 0];
    else if (++stale % 5 === 0) step /= 2;
    const repaired = yield* improve(options, spare, feasible(preferred, spare, prices));
    if (values.of(repaired) > values.of(best)) best = repaired;
    const excess = new Map([...spare].map(([entitlement, left]) => [entitlement, (uses.get(entitlement) ?? 0) - left]));
    const norm = sum(Array.from(excess.values(), (each) => each * each));
    if (norm === 0) break;
    const length = (step * Math.max(1, bound - values.of(best))) / norm;
    const last = prices;
    prices = new Map(
      [...excess].map(([entitlement, each]) => [entitlement, changed(last.get(entitlement), each * length)]),
    );
    yield;
  }
  return yield* branch();

  function valueAt(option: Option, at: ReadonlyMap<number, number>): number {
    return values.ofOne(option) - sum(option.scarce.map((entitlement) => at.get(entitlement) ?? 0));
  }

  function preferredAt(own: readonly Option[], at: ReadonlyMap<number, number>): Option {
    let found = own[0] ?? NO_OPTION;
    for (const option of own) if (valueAt(option, at) > valueAt(found, at)) found = option;
    return found;
  }

  /** The preferred options as far as entitlements are to spare, those that are worth most first. */
  function feasible(
    preferred: readonly Option[],
    left: ReadonlyMap<number, number>,
    at: ReadonlyMap<number, number>,
  ): readonly Option[] {
    const rest = new Map(left);
    const chosen = preferred.map(() => NO_OPTION);
    const order = preferred.map((option, group) => ({ option, group, worth: valueAt(option, at) }));
    for (const { option, group } of order.sort((one, other) => other.worth - one.worth || one.group - other.group)) {
      if (!option.scarce.every((entitlement) => (rest.get(entitlement) ?? 0) > 0)) continue;
      chosen[group] = option;
      for (const entitlement of option.scarce) rest.set(entitlement, (rest.get(entitlement) ?? 0) - 1);
    }
    return chosen;
  }

  /** Tries to end with the first choice in order of ids among the best ones. */
  function* branch(): Generator<undefined, Decision> {
    const ordered = options.map((own) => own.toSorted((one, other) => compareLists(one.refs, other.refs)));
    const rests = [0];
    for (const own of options.toReversed()) {
      const most = Math.max(...own.map((option) => valueAt(option, lowest)));
      rests.push((rests.at(-1) ?? 0) + most);
    }
    rests.reverse();
    const rest = new Map(spare);
    const chosen: Option[] = [];
    // As good as the best one is enough until such a choice was found in order of ids.
    let target = values.of(best);
    let first: readonly Option[] | null = null;
    let steps = 0;
    yield* visit(0, 0);
    const isBest = steps < STEPS_MAX;
    return decisionOf(first ?? best, { most: isBest ? values.of(first ?? best) : bound, isBest });

    function* visit(group: number, value: number): Generator<undefined, void> {
      if (steps >= STEPS_MAX) return;
      steps += 1;
      if (steps % STEPS_AT_ONCE === 0) yield;
      if (value + (rests[group] ?? 0) + priceOf(rest, lowest) < target) return;
      if (group === options.length) {
        if (value < target) return;
        first = [...chosen];
        target = value + 1;
        return;
      }
      for (const option of ordered[group] ?? []) {
        if (!option.scarce.every((entitlement) => (rest.get(entitlement) ?? 0) > 0)) continue;
        for (const entitlement of option.scarce) rest.set(entitlement, (rest.get(entitlement) ?? 0) - 1);
        chosen.push(option);
        yield* visit(group + 1, value + values.ofOne(option));
        chosen.pop();
        for (const entitlement of option.scarce) rest.set(entitlement, (rest.get(entitlement) ?? 0) + 1);
      }
    }
  }

  function decisionOf(
    chosen: readonly Option[],
    { most, isBest }: { readonly most: number; readonly isBest: boolean },
  ): Decision {
    return { chosen, isBest, ...values.boundsOf(most, sum(chosen.map(({ ended }) => ended))) };
  }
}

const NO_OPTION: Option = { refs: [], ended: 0, lost: 0, scarce: [] };

/** Prices are whole, so that values are exact. */
const changed = (price: number | undefined, by: number): number => Math.max(0, Math.round((price ?? 0) + by));

/** Options as numbers that are in order of `compareOptions`, but for ids. */
function valuesOf(options: readonly (readonly Option[])[]) {
  const most = (of: (option: Option) => number) => sum(options.map((own) => Math.max(...own.map(of))));
  const perRef = most(({ lost }) => lost) + 1;
  const perViolation = perRef * (most(({ refs }) => refs.length) + 1);
  const ofOne = ({ ended, refs, lost }: Option) => ended * perViolation - refs.length * perRef - lost;
  return {
    ofOne,
    of: (chosen: readonly Option[]) => sum(chosen.map(ofOne)),
    /** What a value that is not exceeded says of violations and revocations. */
    boundsOf: (value: number, ended: number): Pick<Decision, 'endedMax' | 'refsMin'> => ({
      endedMax: Math.ceil(value / perViolation),
      refsMin: Math.max(0, Math.ceil((ended * perViolation - value - perRef + 1) / perRef)),
    }),
  };
}

function usesOf(chosen: readonly Option[]): Map<number, number> {
  const uses = new Map<number, number>();
  for (const { scarce } of chosen)
    for (const entitlement of scarce) uses.set(entitlement, (uses.get(entitlement) ?? 0) + 1);
  return uses;
}

const isWithin = (uses: ReadonlyMap<number, number>, spare: ReadonlyMap<number, number>): boolean =>
  [...uses].every(([entitlement, count]) => count <= (spare.get(entitlement) ?? 0));

function priceOf(left: ReadonlyMap<number, number>, prices: ReadonlyMap<number, number>): number {
  let price = 0;
  for (const [entitlement, count] of left) price += count * (prices.get(entitlement) ?? 0);
  return price;
}

/** Gives each group, one after the other, the best option that the others leave it, until none changes. */
function* improve(
  options: readonly (readonly Option[])[],
  spare: ReadonlyMap<number, number>,
  start: readonly Option[],
): Generator<undefined, readonly Option[]> {
  const chosen = [...start];
  const uses = usesOf(chosen);
  const add = (option: Option, by: 1 | -1) => {
    for (const entitlement of option.scarce) uses.set(entitlement, (uses.get(entitlement) ?? 0) + by);
  };
  const fits = (option: Option) =>
    option.scarce.every((entitlement) => (uses.get(entitlement) ?? 0) < (spare.get(entitlement) ?? 0));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [group, own] of options.entries()) {
      const present = chosen[group] ?? NO_OPTION;
      add(present, -1);
      const found = own.find(fits) ?? NO_OPTION;
      add(found, 1);
      chosen[group] = found;
      isChanged ||= found !== present && isBetter(found, present);
    }
    yield;
  }
  return chosen;
}

const isBetter = (found: Option, present: Option): boolean =>
  found.ended > present.ended || (found.ended === present.ended && found.refs.length < present.refs.length);
