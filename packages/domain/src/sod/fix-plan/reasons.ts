import { hasEntitlement } from '../evaluation/access.ts';
import { isViolated } from '../evaluation/timeline.ts';
import type { PlannedIdentity, PlannedRef, PlannedViolation, SpareHolders, UnsolvableReason } from './model.ts';
import { openViolations, sidesToClear } from './reduce.ts';

/** What keeps violations. */
interface Limits {
  /** 0 for what is protected. */
  readonly spareOf: SpareHolders;
  readonly protectedEntitlements: ReadonlySet<number>;
}

/** Says why violations of an identity stay after it has lost some refs; null for those that end. */
export function reasonsOf(
  identity: PlannedIdentity,
  taken: ReadonlySet<number>,
  { spareOf, protectedEntitlements }: Limits,
): readonly (UnsolvableReason | null)[] {
  const { refs, violations } = identity;
  const kept = refs.filter((_, ref) => !taken.has(ref));
  const staying = violations.map((violation) => isViolatedBy(violation, kept));
  if (!staying.includes(true)) return staying.map(() => null);
  const open = openViolations(identity, (ref) => refs[ref]?.isProtected === false);
  const choicesAt = new Map(open.map(({ at, choices }) => [at, choices]));
  /** Whether a violation could also end if only these entitlements had to stay. */
  const canEnd = (at: number, staysHeld: (entitlement: number) => boolean) =>
    choicesAt.get(at)?.some((choice) => !takesLast(refs, new Set([...taken, ...choice]), staysHeld)) === true;
  const isProtected = (entitlement: number) => protectedEntitlements.has(entitlement);
  const isNotSpare = (entitlement: number) => spareOf(entitlement) < 1;
  const mustStay = (item: number) =>
    isNotSpare(item) || refs.some((ref) => ref.isProtected && hasEntitlement(ref.entitlements, item));
  /** Whether it could end if entitlements could be taken out of roles and access profiles. */
  const canEndInPieces = (violation: PlannedViolation) =>
    violation.sides.filter((items) => !items.some(mustStay)).length >= sidesToClear(violation);
  return violations.map((violation, at) => {
    if (staying[at] !== true) return null;
    if (!canEnd(at, isProtected)) return 'PROTECTED';
    const isOfBundle = violation.atLeast > 1 && kept.some((ref) => ref.isBundle && isViolatedBy(violation, [ref]));
    return isOfBundle && canEndInPieces(violation) && !canEnd(at, isNotSpare) ? 'ROLE_VIOLATES_ITSELF' : 'LAST_HOLDER';
  });
}

/** Whether some of an identity's refs are all that give it one of the entitlements that have to stay. */
function takesLast(
  refs: readonly PlannedRef[],
  lost: ReadonlySet<number>,
  staysHeld: (entitlement: number) => boolean,
): boolean {
  const others = refs.filter((_, ref) => !lost.has(ref));
  const isLast = (entitlement: number) =>
    staysHeld(entitlement) && !others.some(({ entitlements }) => hasEntitlement(entitlements, entitlement));
  return Array.from(lost).some((ref) => Array.from(refs[ref]?.entitlements ?? []).some(isLast));
}

/** Whether some refs of an identity violate a policy. */
const isViolatedBy = ({ sides, atLeast }: PlannedViolation, refs: readonly PlannedRef[]): boolean =>
  isViolated({ sideCount: sides.length, atLeast }, (side) =>
    (sides[side] ?? []).some((item) => refs.some(({ entitlements }) => hasEntitlement(entitlements, item))),
  );
