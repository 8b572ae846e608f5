import type { NumberedFocus } from './focus.ts';
import { isResolved, itemId, itemsBySide, itemsOf, type LintRulebook } from './rulebook.ts';

/** The ids of the items of a policy that the catalogue lacks, each once, sorted: all for a policy in focus, else those in focus. */
export function unresolvedItems(rulebook: LintRulebook, focus: NumberedFocus, policy: number): readonly string[] {
  const ids = new Set<string>();
  for (const item of itemsOf(rulebook, policy)) {
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
  for (const item of itemsOf(rulebook, policy)) counts.set(item, (counts.get(item) ?? 0) + 1);
  const repeated: RepeatedItem[] = [];
  for (const [item, sideCount] of counts) if (sideCount > 1) repeated.push({ id: itemId(rulebook, item), sideCount });
  return repeated.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** How many sides of a policy have an item that the catalogue has. */
export function matchableSideCount(rulebook: LintRulebook, policy: number): number {
  // Items are sorted, and unresolved ones have the highest numbers.
  const hasResolved = ([first]: Uint32Array) => first !== undefined && isResolved(rulebook, first);
  return itemsBySide(rulebook, policy).filter(hasResolved).length;
}
