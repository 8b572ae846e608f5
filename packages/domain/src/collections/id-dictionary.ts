import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { encodeTexts, type StringTable, textAt } from './string-table.ts';

/** Ids numbered in code-unit order. */
export interface IdDictionary {
  /** By number. */
  readonly ids: StringTable;
  /** Numbers that have been looked up: a cache of the search in `ids`. */
  readonly known: Map<string, number>;
}

/** Numbers the ids of items that are sorted by id. */
export function* createIdDictionary(
  items: readonly { readonly id: string }[],
  budget: WorkBudget,
): Steps<IdDictionary> {
  const known = new Map<string, number>();
  for (let number = 0; number < items.length; number++) {
    known.set(items[number]?.id ?? '', number);
    if (isPauseDue(budget, 1)) yield;
  }
  return { ids: yield* encodeTexts(items, { textOf: ({ id }) => id, budget }), known };
}

/** How many ids there are. */
export const idCount = ({ starts }: StringTable): number => starts.length - 1;

/** The number of an id; undefined when it has none. */
export function findId({ ids, known }: IdDictionary, id: string): number | undefined {
  const found = known.get(id);
  if (found !== undefined || known.size === idCount(ids)) return found;
  const number = lowerBound(ids, id);
  if (number === idCount(ids) || textAt(ids, number) !== id) return undefined;
  known.set(id, number);
  return number;
}

/** How many of the sorted ids come before this one. */
export function lowerBound(ids: StringTable, id: string): number {
  let low = 0;
  let high = idCount(ids);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (textAt(ids, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
