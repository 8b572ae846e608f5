import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { CsrRows } from './csr-rows.ts';

// Plain loops over runs of this length are several times as fast as the same loops in a generator.
const RUN = 0x4000;
// Entries that are made in the time of one unit of work.
const LIGHT = 16;

/** How to invert rows. */
export interface Inversion {
  /** The numbers in the rows are less than this. */
  readonly valueEnd: number;
  /** The number that each row is entered as; its own where there is none. */
  readonly entryOfRow?: Uint32Array;
  readonly budget: WorkBudget;
}

/** For each number the entries of the rows that it is in, in the order of the rows, in steps. */
export function* invertRows(rows: CsrRows, { valueEnd, entryOfRow, budget }: Inversion): Steps<CsrRows> {
  const next = new Uint32Array(valueEnd + 1);
  for (let from = 0; from < rows.values.length; from += RUN) {
    countInto(next, rows.values.subarray(from, from + RUN));
    if (isPauseDue(budget, RUN / LIGHT)) yield;
  }
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0);
  const inverted = { starts: next.slice(), values: new Uint32Array(rows.values.length) };
  for (let from = 0; from < rows.starts.length - 1; from += RUN / 8) {
    const end = Math.min(from + RUN / 8, rows.starts.length - 1);
    enterRows(inverted.values, { rows, next, from, end, entryOfRow });
    if (isPauseDue(budget, ((rows.starts[end] ?? 0) - (rows.starts[from] ?? 0)) / LIGHT)) yield;
  }
  return inverted;
}

// Counted one place further on, where the next row starts.
function countInto(counts: Uint32Array, values: Uint32Array): void {
  for (let at = 0; at < values.length; at++) {
    const place = (values[at] ?? 0) + 1;
    counts[place] = (counts[place] ?? 0) + 1;
  }
}

interface Entering {
  readonly rows: CsrRows;
  readonly next: Uint32Array;
  readonly from: number;
  readonly end: number;
  readonly entryOfRow: Uint32Array | undefined;
}

function enterRows(inverted: Uint32Array, { rows, next, from, end, entryOfRow }: Entering): void {
  const { starts, values } = rows;
  for (let row = from; row < end; row++) {
    const rowEnd = starts[row + 1] ?? 0;
    const entry = entryOfRow === undefined ? row : (entryOfRow[row] ?? 0);
    for (let at = starts[row] ?? 0; at < rowEnd; at++) {
      const number = values[at] ?? 0;
      const place = next[number] ?? 0;
      inverted[place] = entry;
      next[number] = place + 1;
    }
  }
}
