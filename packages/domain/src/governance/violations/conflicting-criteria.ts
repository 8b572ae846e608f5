import { isShownAsKOfN, type PolicyPlace, type SodEntitlement, sideNamesAt } from '../../sod/index.ts';
import type { ConflictingCriterion } from './violation.ts';

/**
 * The sides of a violated policy that are held, with their held items, in policy order. Sides without a name are `left` and
 * `right`, those of k-of-n policies `side 1` and so on.
 */
export function conflictingCriteriaOf(
  policy: PolicyPlace,
  heldBySide: readonly (readonly SodEntitlement[])[],
): readonly ConflictingCriterion[] {
  const names = sideNamesAt(policy);
  const sides: ConflictingCriterion[] = [];
  for (const [side, held] of heldBySide.entries()) {
    if (held.length === 0) continue;
    const conflictingItems = held.map(({ id, name }) => ({ type: 'ENTITLEMENT' as const, id, name }));
    sides.push({ name: names[side] ?? nameOfUnnamed(policy, side), conflictingItems });
  }
  return sides;
}

const nameOfUnnamed = (policy: PolicyPlace, side: number): string =>
  isShownAsKOfN(policy) ? `side ${side + 1}` : side === 0 ? 'left' : 'right';
