import { byId } from '../../access/model/sort-by-id.ts';
import type { NumberedFocus } from './focus.ts';
import { isResolved, itemId, type LintRulebook, policyOf } from './rulebook.ts';

/** The ids of the items of a policy that the catalogue lacks, each once, sorted: all for a policy in focus, else those in focus. */
export function unresolvedItems(rulebook: LintRulebook, focus: NumberedFocus, policy: number): readonly string[] {
  const ids = new Set<string>();
  for (const item of policyOf(rulebook, policy).sides.flat()) {
    if (isResolved(rulebook, item)) continue;
    if (focus.policies[policy] === 1 || focus.deletedItems.has(item)) ids.add(itemId(rulebook, item));
  }
  return [...ids].sort();
}

/** An item that is on several sides of a policy. */
export interface RepeatedItem {
  readonly id: string;
  readonly sideCount: number;
}

/** The items that are on several sides of a policy, by id. */
export function repeatedItems(rulebook: LintRulebook, policy: number): readonly RepeatedItem[] {
  const counts = new Map<number, number>();
  for (const item of policyOf(rulebook, policy).sides.flat()) counts.set(item, (counts.get(item) ?? 0) + 1);
  const repeated: RepeatedItem[] = [];
  for (const [item, sideCount] of counts) if (sideCount > 1) repeated.push({ id: itemId(rulebook, item), sideCount });
  return repeated.sort(byId);
}

/** How many sides of a policy have an item that the catalogue has. */
export const matchableSideCount = (rulebook: LintRulebook, policy: number): number =>
  policyOf(rulebook, policy).sides.filter((side) => side.some((item) => isResolved(rulebook, item))).length;
