import type { CsrRows } from './csr-rows.ts';

/** How to invert rows. */
export interface Inversion {
  /** The numbers in the rows are less than this. */
  readonly valueEnd: number;
  /** The number that each row is entered as; its own where there is none. */
  readonly entryOfRow?: Uint32Array;
}

/** For each number the entries of the rows that it is in, in the order of the rows. */
export function invertRows({ starts, values }: CsrRows, { valueEnd, entryOfRow }: Inversion): CsrRows {
  const next = new Uint32Array(valueEnd + 1);
  // Counted one place further on, where the next row starts.
  for (let at = 0; at < values.length; at++) {
    const place = (values[at] ?? 0) + 1;
    next[place] = (next[place] ?? 0) + 1;
  }
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0);
  const inverted = { starts: next.slice(), values: new Uint32Array(values.length) };
  for (let row = 0; row < starts.length - 1; row++) {
    const rowEnd = starts[row + 1] ?? 0;
    const entry = entryOfRow === undefined ? row : (entryOfRow[row] ?? 0);
    for (let at = starts[row] ?? 0; at < rowEnd; at++) {
      const number = values[at] ?? 0;
      const place = next[number] ?? 0;
      inverted.values[place] = entry;
      next[number] = place + 1;
    }
  }
  return inverted;
}
