import { bitsOf } from '../collections/bits.ts';
import type { CsrRows } from '../collections/csr-rows.ts';
import { growInto } from '../collections/grow.ts';
import { invertRows } from '../collections/invert-rows.ts';

/** The holders of each access ref. Holders are numbered 0, 1, … in the order in which they were written, refs by an `AccessRefTable`. */
export interface AssignmentIndex {
  readonly holderCount: number;
  /** The holders of ref `r` are `holders[starts[r]]` up to, and without, `holders[starts[r + 1]]`, ascending; a holder may be repeated. */
  readonly starts: Uint32Array;
  readonly holders: HolderNumbers;
  /** Refs with at least this many holders also have a bit for each holder. */
  readonly manyFrom: number;
  readonly bits: ReadonlyMap<number, Uint32Array>;
}

/** Numbers of holders: 16 bits where they suffice (65,536 holders), which are scanned twice as fast. */
export type HolderNumbers = Uint16Array | Uint32Array;

/** Builds an `AssignmentIndex`. */
export interface AssignmentIndexWriter {
  readonly holderCount: number;
  /** The number of assignments written. */
  readonly length: number;
  /** Adds a ref to the next holder. */
  add(ref: number): void;
  endHolder(): void;
  /** Drops the refs added since the last holder ended. */
  dropHolder(): void;
  /** Returns the index. The writer must not be used afterwards. */
  finish(refCount: number): AssignmentIndex;
}

const SHORT_HOLDERS_MAX = 0x10000;

/** Creates a writer with room for a number of assignments; it grows as needed. */
export function createAssignmentIndexWriter(room = 1024): AssignmentIndexWriter {
  let refs = new Uint32Array(room);
  let ends = new Uint32Array(256);
  let count = 0;
  let length = 0;
  return {
    get holderCount() {
      return count;
    },
    get length() {
      return length;
    },
    add: (ref) => {
      if (length === refs.length) refs = growInto(refs, new Uint32Array(length * 2));
      refs[length++] = ref;
    },
    endHolder: () => {
      count += 1;
      if (count === ends.length) ends = growInto(ends, new Uint32Array(count * 2));
      ends[count] = length;
    },
    dropHolder: () => {
      length = ends[count] ?? 0;
    },
    finish: (refCount) => {
      const rows = { starts: ends.subarray(0, count + 1), values: refs.subarray(0, length) };
      return invertAssignments(rows, refCount);
    },
  };
}

/** The index of rows of refs, one for each holder. */
export function invertAssignments(rows: CsrRows, refCount: number): AssignmentIndex {
  const holderCount = rows.starts.length - 1;
  const { starts, values } = invertRows(rows, { valueEnd: refCount });
  const holders = holderCount > SHORT_HOLDERS_MAX ? values : new Uint16Array(values);
  const manyFrom = Math.max(MANY_MIN, holderCount >>> 6);
  const bits = new Map<number, Uint32Array>();
  for (let ref = 0; ref < refCount; ref++) {
    const held = holders.subarray(starts[ref], starts[ref + 1]);
    if (held.length >= manyFrom) bits.set(ref, bitsOf(held, holderCount));
  }
  return { holderCount, starts, holders, manyFrom, bits };
}

// Below this, scanning the holders is as fast as testing bits.
const MANY_MIN = 16;

/** The holders of any of these refs, ascending and unique. */
export function holdersOf({ starts, holders }: AssignmentIndex, refs: Iterable<number>): Uint32Array {
  const found = new Set<number>();
  for (const ref of refs) for (const holder of holders.subarray(starts[ref], starts[ref + 1] ?? 0)) found.add(holder);
  return Uint32Array.from(found).sort();
}

/** The memory that an index takes, in bytes. */
export const assignmentIndexBytes = ({ holderCount, starts, holders, bits }: AssignmentIndex): number =>
  starts.byteLength + holders.byteLength + bits.size * ((holderCount >>> 3) + 4);
