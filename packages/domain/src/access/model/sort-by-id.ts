import { compareTexts } from '../../basics/order/compare-texts.ts';

interface Identified {
  readonly id: string;
}

/** Compares ids in code-unit order. */
export const byId = (a: Identified, b: Identified): number => compareTexts(a.id, b.id);

/** Sorts in code-unit order of ids. Sorted items are returned as they are. */
export const sortById = <T extends Identified>(items: readonly T[]): readonly T[] =>
  areSorted(items) ? items : items.toSorted(byId);

function areSorted(items: readonly Identified[]): boolean {
  let previous = '';
  for (const { id } of items) {
    if (id < previous) return false;
    previous = id;
  }
  return true;
}
