import type { SpareHolders } from './model.ts';
import type { OpenViolation, ReducedIdentity } from './reduce.ts';

interface UnfinishedPlan {
  readonly reduced: readonly ReducedIdentity[];
  /** The refs that each identity loses; grows. */
  readonly taken: readonly Set<number>[];
  readonly spareOf: SpareHolders;
}

/** Ends the violations that a plan has left although it could end them. Yields after each identity. */
export function* takeWhatIsLeft({ reduced, taken, spareOf }: UnfinishedPlan): Generator<undefined, void> {
  const lost = new Map<number, number>();
  for (const [at, identity] of reduced.entries()) {
    for (const entitlement of tightLosses(identity, taken[at] ?? NONE))
      lost.set(entitlement, (lost.get(entitlement) ?? 0) + 1);
    yield;
  }
  for (const [at, identity] of reduced.entries()) {
    const own = taken[at];
    if (own === undefined) continue;
    for (const violation of identity.violations) {
      if (isEnded(violation, own)) continue;
      for (const choice of violation.choices) {
        const before = new Set(tightLosses(identity, own));
        const after = tightLosses(identity, new Set([...own, ...choice])).filter((each) => !before.has(each));
        if (after.some((entitlement) => (lost.get(entitlement) ?? 0) >= spareOf(entitlement))) continue;
        for (const entitlement of after) lost.set(entitlement, (lost.get(entitlement) ?? 0) + 1);
        for (const ref of choice) own.add(ref);
        break;
      }
    }
    yield;
  }
}

const NONE: ReadonlySet<number> = new Set();

const tightLosses = ({ losses }: ReducedIdentity, taken: ReadonlySet<number>): readonly number[] =>
  losses.flatMap(({ refs, tight }) => (refs.every((ref) => taken.has(ref)) ? tight : []));

const isEnded = ({ choices }: OpenViolation, taken: ReadonlySet<number>): boolean =>
  choices.some((choice) => choice.every((ref) => taken.has(ref)));
