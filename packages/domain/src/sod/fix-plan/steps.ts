import type { FixedIdentity, PlannedIdentity } from './model.ts';

/** What the revocation of one ref does, after those before it. */
export interface PlannedStep {
  /** The place of the ref. */
  readonly ref: number;
  /** The places of the violations that are gone with it. */
  readonly ends: readonly number[];
  /** The entitlements that are lost with it, but for items of violations that the plan ends and the revoked one itself. */
  readonly alsoLoses: readonly number[];
}

/** The revocations of an identity, one after the other. */
export function stepsOf(
  { refs, violations }: PlannedIdentity,
  { taken, reasons }: FixedIdentity,
): readonly PlannedStep[] {
  const isTaken = new Set(taken);
  const entitlementsOf = (ref: number) => Array.from(refs[ref]?.entitlements ?? []);
  const lostAt = new Map<number, number>();
  for (const [step, ref] of taken.entries())
    for (const entitlement of entitlementsOf(ref)) lostAt.set(entitlement, step);
  for (const ref of refs.keys())
    if (!isTaken.has(ref)) for (const entitlement of entitlementsOf(ref)) lostAt.delete(entitlement);
  const ended = violations.flatMap(({ sides, atLeast }, at) => {
    if (reasons[at] !== null) return [];
    const cleared = sides
      .map((items) => Math.max(...items.map((item) => lostAt.get(item) ?? Number.POSITIVE_INFINITY)))
      .sort((left, right) => left - right);
    return { at, items: sides.flat(), step: cleared[sides.length - atLeast] };
  });
  const purpose = new Set(ended.flatMap(({ items }) => items));
  for (const ref of taken) if (refs[ref]?.isBundle === false) for (const own of entitlementsOf(ref)) purpose.add(own);
  const lost = [...lostAt].filter(([entitlement]) => !purpose.has(entitlement)).sort(([left], [right]) => left - right);
  return taken.map((ref, step) => ({
    ref,
    ends: ended.flatMap((violation) => (violation.step === step ? violation.at : [])),
    alsoLoses: lost.flatMap(([entitlement, at]) => (at === step ? entitlement : [])),
  }));
}
