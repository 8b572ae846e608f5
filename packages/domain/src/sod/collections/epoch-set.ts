/** A mark on each of some numbered things, which only the current epoch reads: to begin the next one clears nothing. */
export interface EpochSet {
  /** One mark per thing. */
  readonly bytes: Uint8Array;
  /** The lower one of the two marks of the current epoch. */
  last: number;
}

/** Creates an empty set for this number of things. */
export const createEpochSet = (count: number): EpochSet => ({ bytes: new Uint8Array(count), last: 0 });

/** Begins an epoch with two marks of its own, the one returned and its successor: all marks set before are less. */
export function startEpoch(set: EpochSet): number {
  set.last += 2;
  if (set.last > 0xfe) {
    set.bytes.fill(0);
    set.last = 2;
  }
  return set.last;
}
