import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { CsrRows } from './csr-rows.ts';

// Plain loops over stretches: they run several times as fast as the same loops in a generator.
const STRETCH = 0x4000;
// So many entries are made in the time that it takes to look up one id.
const LIGHT = 16;

/** How to invert rows. */
export interface Inversion {
  /** The numbers in the rows are less than this. */
  readonly valueEnd: number;
  /** What each row is entered as: itself for 0, the other one of its pair for 1. */
  readonly flip: 0 | 1;
  readonly budget: WorkBudget;
}

/** For each number the rows that it is in, in ascending order where nothing is flipped, in steps. */
export function* invertRows(rows: CsrRows, { valueEnd, flip, budget }: Inversion): Steps<CsrRows> {
  const next = new Uint32Array(valueEnd + 1);
  for (let from = 0; from < rows.values.length; from += STRETCH) {
    countInto(next, rows.values.subarray(from, from + STRETCH));
    if (isPauseDue(budget, STRETCH / LIGHT)) yield;
  }
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0);
  const inverted = { starts: next.slice(), values: new Uint32Array(rows.values.length) };
  for (let from = 0; from < rows.starts.length - 1; from += STRETCH / 8) {
    const end = Math.min(from + STRETCH / 8, rows.starts.length - 1);
    enterRows(inverted.values, { rows, next, from, end, flip });
    if (isPauseDue(budget, ((rows.starts[end] ?? 0) - (rows.starts[from] ?? 0)) / LIGHT)) yield;
  }
  return inverted;
}

// One place further on, where the next row starts.
function countInto(counts: Uint32Array, values: Uint32Array): void {
  for (let at = 0; at < values.length; at++) {
    const place = (values[at] ?? 0) + 1;
    counts[place] = (counts[place] ?? 0) + 1;
  }
}

function enterRows(
  inverted: Uint32Array,
  { rows, next, from, end, flip }: { rows: CsrRows; next: Uint32Array; from: number; end: number; flip: 0 | 1 },
): void {
  const { starts, values } = rows;
  for (let row = from; row < end; row++) {
    const rowEnd = starts[row + 1] ?? 0;
    for (let at = starts[row] ?? 0; at < rowEnd; at++) {
      const number = values[at] ?? 0;
      const place = next[number] ?? 0;
      inverted[place] = row ^ flip;
      next[number] = place + 1;
    }
  }
}
