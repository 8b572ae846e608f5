import { hasEntitlement } from '../evaluation/access.ts';
import { isViolated } from '../evaluation/timeline.ts';
import type { PlannedIdentity, PlannedRef, PlannedViolation, UnsolvableReason } from './model.ts';
import { openViolations } from './reduce.ts';

/** Says why violations of an identity stay after it has lost some refs; null for those that end. */
export function reasonsOf(identity: PlannedIdentity, taken: ReadonlySet<number>): readonly (UnsolvableReason | null)[] {
  const kept = identity.refs.filter((_, ref) => !taken.has(ref));
  const staying = identity.violations.map((violation) => isViolatedBy(violation, kept));
  if (!staying.includes(true)) return staying.map(() => null);
  // If all holders could lose what they have.
  const open = openViolations(identity, (ref) => identity.refs[ref]?.isProtected === false);
  const canEnd = new Set(open.map(({ at }) => at));
  return identity.violations.map((violation, at) => {
    if (staying[at] !== true) return null;
    if (violation.atLeast > 1 && kept.some((ref) => ref.isBundle && isViolatedBy(violation, [ref])))
      return 'ROLE_VIOLATES_ITSELF';
    return canEnd.has(at) ? 'LAST_HOLDER' : 'PROTECTED';
  });
}

/** Whether some refs of an identity violate a policy. */
const isViolatedBy = ({ sides, atLeast }: PlannedViolation, refs: readonly PlannedRef[]): boolean =>
  isViolated({ sideCount: sides.length, atLeast }, (side) =>
    (sides[side] ?? []).some((item) => refs.some(({ entitlements }) => hasEntitlement(entitlements, item))),
  );
