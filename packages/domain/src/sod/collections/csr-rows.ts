import { growInto } from './grow.ts';

/** Rows of numbers in one array: row `i` is `values[starts[i]]` up to, and without, `values[starts[i + 1]]`. */
export interface CsrRows {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** Rows under construction: `pushNumber` adds to the last one, `endRow` ends it. */
export interface RowWriter {
  readonly starts: number[];
  values: Uint32Array;
  length: number;
}

/** A writer without rows. */
export const createRowWriter = (): RowWriter => ({ starts: [0], values: new Uint32Array(64), length: 0 });

/** Adds a number to the row under construction. */
export function pushNumber(writer: RowWriter, number: number): void {
  if (writer.length === writer.values.length)
    writer.values = growInto(writer.values, new Uint32Array(writer.length * 2));
  writer.values[writer.length++] = number;
}

/** Ends the row under construction: its numbers become sorted and unique. */
export function endRow(writer: RowWriter): void {
  const { values } = writer;
  const start = writer.starts[writer.starts.length - 1] ?? 0;
  sort(values, start, writer.length);
  let end = start;
  for (let at = start; at < writer.length; at++) {
    const number = values[at] ?? 0;
    if (end > start && values[end - 1] === number) continue;
    values[end++] = number;
  }
  writer.length = end;
  writer.starts.push(end);
}

/** The rows that have been ended. */
export function rowsOf(writer: RowWriter): CsrRows {
  return { starts: new Uint32Array(writer.starts), values: writer.values.slice(0, writer.length) };
}

/** One row, as a view. */
export const rowAt = ({ starts, values }: CsrRows, row: number): Uint32Array =>
  values.subarray(starts[row], starts[row + 1]);

// Up to this many numbers, insertion sort is faster than the sort of typed arrays.
const FEW = 32;

function sort(values: Uint32Array, start: number, end: number): void {
  if (end - start > FEW) {
    values.subarray(start, end).sort();
    return;
  }
  for (let next = start + 1; next < end; next++) {
    const number = values[next] ?? 0;
    let at = next;
    for (; at > start && (values[at - 1] ?? 0) > number; at--) values[at] = values[at - 1] ?? 0;
    values[at] = number;
  }
}
