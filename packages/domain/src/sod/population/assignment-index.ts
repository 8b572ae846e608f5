import { invertRows, type Rows, rowAt } from '../collections/rows.ts';

/** The holders of each access ref. Holders are numbered 0, 1, … in the order in which they were written, refs by an `AccessRefTable`. */
export interface AssignmentIndex {
  readonly holderCount: number;
  /** The holders of each ref, ascending; a holder may be repeated. */
  readonly holders: Rows;
  /** Refs with many holders also have a bit for each holder. */
  readonly bits: ReadonlyMap<number, Uint32Array>;
}

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

/** Creates a writer with room for a number of assignments; it grows as needed. */
export function createAssignmentIndexWriter(room = 1024): AssignmentIndexWriter {
  let refs = new Uint32Array(room);
  const starts = [0];
  let length = 0;
  return {
    get holderCount() {
      return starts.length - 1;
    },
    get length() {
      return length;
    },
    add: (ref) => {
      if (length === refs.length) {
        const longer = new Uint32Array(length * 2);
        longer.set(refs);
        refs = longer;
      }
      refs[length++] = ref;
    },
    endHolder: () => void starts.push(length),
    dropHolder: () => {
      length = starts.at(-1) ?? 0;
    },
    finish: (refCount) =>
      indexHolders({ starts: Uint32Array.from(starts), values: refs.subarray(0, length) }, refCount),
  };
}

// Below this, scanning the holders is as fast as testing bits.
const MANY_MIN = 16;

/** The index of rows of refs, one for each holder. */
export function indexHolders(refsOfHolders: Rows, refCount: number): AssignmentIndex {
  const holderCount = refsOfHolders.starts.length - 1;
  const holders = invertRows(refsOfHolders, refCount);
  const manyFrom = Math.max(MANY_MIN, holderCount >>> 6);
  const bits = new Map<number, Uint32Array>();
  for (let ref = 0; ref < refCount; ref++) {
    const own = rowAt(holders, ref);
    if (own.length < manyFrom) continue;
    const words = new Uint32Array(Math.ceil(holderCount / 32));
    for (const holder of own) words[holder >>> 5] = (words[holder >>> 5] ?? 0) | (1 << (holder & 31));
    bits.set(ref, words);
  }
  return { holderCount, holders, bits };
}

/** The holders of any of these refs, ascending and unique. */
export function holdersOf({ holders }: AssignmentIndex, refs: Iterable<number>): Uint32Array {
  const found = new Set<number>();
  for (const ref of refs) for (const holder of rowAt(holders, ref)) found.add(holder);
  return Uint32Array.from(found).sort();
}

/** The memory that an index takes, in bytes. */
export const assignmentIndexBytes = ({ holderCount, holders: { starts, values }, bits }: AssignmentIndex): number =>
  starts.byteLength + values.byteLength + bits.size * ((holderCount >>> 3) + 4);
