import type { Highs } from 'highs';
import type { FixProblem, PlannedIdentity } from '../src/sod/index.ts';

/** What a plan comes to. */
export interface PlanOutcome {
  readonly ended: number;
  readonly revocations: number;
  readonly lost: number;
}

const entitlementsOf = ({ refs }: PlannedIdentity, isKept: (ref: number) => boolean): ReadonlySet<number> =>
  new Set(refs.flatMap(({ entitlements }, ref) => (isKept(ref) ? Array.from(entitlements) : [])));

/** What taking refs from the identities comes to; null where that is not permitted. */
export function outcomeOf(problem: FixProblem, taken: readonly (readonly number[])[]): PlanOutcome | null {
  const losses = new Map<number, number>();
  let ended = 0;
  const isProtected = (entitlement: number) => problem.protectedEntitlements.has(entitlement);
  for (const [at, identity] of problem.identities.entries()) {
    const own = taken[at] ?? [];
    if (own.some((ref) => identity.refs[ref]?.isProtected !== false)) return null;
    const before = entitlementsOf(identity, () => true);
    const after = entitlementsOf(identity, (ref) => !own.includes(ref));
    if ([...before].some((entitlement) => isProtected(entitlement) && !after.has(entitlement))) return null;
    for (const entitlement of before)
      if (!after.has(entitlement)) losses.set(entitlement, (losses.get(entitlement) ?? 0) + 1);
    for (const { sides, atLeast } of identity.violations)
      if (sides.filter((items) => items.some((item) => after.has(item))).length < atLeast) ended += 1;
  }
  if ([...losses].some(([entitlement, count]) => count > problem.spareOf(entitlement))) return null;
  const total = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);
  return { ended, revocations: total(taken.map(({ length }) => length)), lost: total(losses.values()) };
}

const isBetter = (one: PlanOutcome, other: PlanOutcome): boolean =>
  one.ended !== other.ended
    ? one.ended > other.ended
    : one.revocations !== other.revocations
      ? one.revocations < other.revocations
      : one.lost < other.lost;

/** The best plan by trying all: of equal ones the first in order of ids. */
export function bestByTrying(problem: FixProblem): readonly (readonly number[])[] {
  const places = problem.identities.flatMap(({ refs }, identity) => refs.map((_, ref) => ({ identity, ref })));
  const takenOf = (bits: number) =>
    problem.identities.map((_, identity) =>
      places.flatMap((place, at) =>
        place.identity === identity && (bits >> (places.length - 1 - at)) & 1 ? [place.ref] : [],
      ),
    );
  let best = takenOf(0);
  let outcome = outcomeOf(problem, best);
  // Of sets of one size the first in order has the highest bits.
  for (let bits = 2 ** places.length - 1; bits > 0; bits--) {
    const taken = takenOf(bits);
    const reached = outcomeOf(problem, taken);
    if (reached === null || outcome === null || !isBetter(reached, outcome)) continue;
    best = taken;
    outcome = reached;
  }
  return best;
}

/** The most violations that can end and the fewest revocations for that, by a solver of integer programs. */
export function bestBySolver(
  highs: Pick<Highs, 'solve'>,
  problem: FixProblem,
): Pick<PlanOutcome, 'ended' | 'revocations'> {
  const { rows, revocations, ends, others } = programOf(problem);
  if (ends.length === 0) return { ended: 0, revocations: 0 };
  const perViolation = revocations.length + 1;
  const objective = [...ends.map((end) => `+ ${perViolation} ${end}`), ...revocations.map((taken) => `- ${taken}`)];
  const text = [
    'Maximize obj:',
    ...objective,
    'Subject To',
    ...rows,
    'Binary',
    ...revocations,
    ...ends,
    ...others,
    'End',
  ];
  const { Status, ObjectiveValue } = highs.solve(text.join('\n'), { mip_rel_gap: 0, mip_abs_gap: 0 });
  if (Status !== 'Optimal') throw new Error(`The solver says: ${Status}.`);
  const ended = Math.ceil(ObjectiveValue / perViolation - 1e-6);
  return { ended, revocations: Math.round(ended * perViolation - ObjectiveValue) };
}

/** The problem as an integer program in the LP format, said in other words than the planner's. */
function programOf({ identities, spareOf, protectedEntitlements }: FixProblem) {
  const rows: string[] = [];
  const revocations: string[] = [];
  const ends: string[] = [];
  const others: string[] = [];
  const losers = new Map<number, string[]>();
  for (const [i, { refs, violations }] of identities.entries()) {
    for (const [r, { isProtected }] of refs.entries()) {
      revocations.push(`x${i}_${r}`);
      if (isProtected) rows.push(`x${i}_${r} = 0`);
    }
    const all = new Set(refs.flatMap(({ entitlements }) => Array.from(entitlements)));
    for (const e of all) {
      const loss = `l${i}_${e}`;
      const granting = refs.flatMap(({ entitlements }, r) =>
        Array.from(entitlements).includes(e) ? [`x${i}_${r}`] : [],
      );
      others.push(loss);
      for (const x of granting) rows.push(`${loss} - ${x} <= 0`);
      rows.push(`${granting.join(' + ')} - ${loss} <= ${granting.length - 1}`);
      if (protectedEntitlements.has(e)) rows.push(`${loss} = 0`);
      losers.set(e, [...(losers.get(e) ?? []), loss]);
    }
    for (const [v, { sides, atLeast }] of violations.entries()) {
      const cleared = sides.map((items, s) => {
        const side = `c${i}_${v}_${s}`;
        others.push(side);
        for (const item of items) rows.push(`${side} - l${i}_${item} <= 0`);
        return side;
      });
      const end = `y${i}_${v}`;
      ends.push(end);
      rows.push(`${sides.length - atLeast + 1} ${end} - ${cleared.join(' - ')} <= 0`);
    }
  }
  for (const [e, losses] of losers)
    if (Number.isFinite(spareOf(e))) rows.push(`${losses.join(' + ')} <= ${spareOf(e)}`);
  return { rows, revocations, ends, others };
}
