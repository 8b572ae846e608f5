/** Rows of numbers in one array (CSR): row `i` is `values[starts[i]]` up to, and without, `values[starts[i + 1]]`. */
export interface Rows {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** Rows under construction. */
export interface RowWriter {
  readonly starts: number[];
  readonly values: number[];
}

/** A writer without rows. */
export const createRowWriter = (): RowWriter => ({ starts: [0], values: [] });

/** Adds a row of these numbers, sorted and unique; sorts the given array. */
export function addRow({ starts, values }: RowWriter, numbers: number[]): void {
  let last = -1;
  for (const number of numbers.sort((a, b) => a - b)) {
    if (number !== last) values.push(number);
    last = number;
  }
  starts.push(values.length);
}

/** The rows that were added. */
export const rowsOf = ({ starts, values }: RowWriter): Rows => ({
  starts: Uint32Array.from(starts),
  values: Uint32Array.from(values),
});

/** One row, as a view. */
export const rowAt = ({ starts, values }: Rows, row: number): Uint32Array =>
  values.subarray(starts[row], starts[row + 1]);

/**
 * For each number less than `end`, the rows that it is in, in their order. A row is entered as its number, or as its entry
 * where entries are given.
 */
export function invertRows({ starts, values }: Rows, end: number, entryOfRow?: ArrayLike<number>): Rows {
  const next = new Uint32Array(end + 1);
  // Counted one place further on, where the next row starts.
  for (let at = 0; at < values.length; at++) {
    const place = (values[at] ?? 0) + 1;
    next[place] = (next[place] ?? 0) + 1;
  }
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0);
  const inverted = { starts: next.slice(), values: new Uint32Array(values.length) };
  for (let row = 0; row < starts.length - 1; row++) {
    const entry = entryOfRow === undefined ? row : (entryOfRow[row] ?? 0);
    const rowEnd = starts[row + 1] ?? 0;
    for (let at = starts[row] ?? 0; at < rowEnd; at++) {
      const number = values[at] ?? 0;
      const place = next[number] ?? 0;
      inverted.values[place] = entry;
      next[number] = place + 1;
    }
  }
  return inverted;
}
