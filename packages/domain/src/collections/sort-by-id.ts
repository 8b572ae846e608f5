import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';

interface Identified {
  readonly id: string;
}

/** Compares ids in code-unit order. */
export const byId = (a: Identified, b: Identified): number => (a.id < b.id ? -1 : Number(a.id > b.id));

const RUN = 1024;

/** Sorts in code-unit order of ids, in steps: short runs are sorted and then merged. Sorted items are returned as they are. */
export function* sortById<T extends Identified>(items: readonly T[], budget: WorkBudget): Steps<readonly T[]> {
  if (yield* areSorted(items, budget)) return items;
  let sorted: T[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    for (const item of items.slice(start, start + RUN).sort(byId)) sorted.push(item);
    if (isPauseDue(budget, RUN)) yield;
  }
  for (let width = RUN; width < items.length; width *= 2) {
    const merged: T[] = [];
    for (let start = 0; start < items.length; start += width * 2) {
      yield* merge(merged, { sorted, start, width, budget });
    }
    sorted = merged;
  }
  return sorted;
}

function* areSorted(items: readonly Identified[], budget: WorkBudget): Steps<boolean> {
  let previous = '';
  for (const { id } of items) {
    if (id < previous) return false;
    previous = id;
    if (isPauseDue(budget, 1)) yield;
  }
  return true;
}

interface Runs<T> {
  readonly sorted: readonly T[];
  readonly start: number;
  readonly width: number;
  readonly budget: WorkBudget;
}

function* merge<T extends Identified>(merged: T[], { sorted, start, width, budget }: Runs<T>): Steps<void> {
  let left = start;
  let right = start + width;
  const end = right + width;
  for (;;) {
    const first = left < start + width ? sorted[left] : undefined;
    const second = right < end ? sorted[right] : undefined;
    if (first !== undefined && (second === undefined || first.id <= second.id)) {
      merged.push(first);
      left++;
    } else if (second !== undefined) {
      merged.push(second);
      right++;
    } else return;
    if (isPauseDue(budget, 1)) yield;
  }
}
