/** A mark on each of some numbered things, which only the current epoch reads: to begin the next one clears nothing. */
export interface EpochSet {
  /** One mark per thing. */
  readonly bytes: Uint8Array;
  /** The first mark that no epoch has used since the last clearing. */
  next: number;
}

/** Creates an empty set for this number of things. */
export const createEpochSet = (count: number): EpochSet => ({ bytes: new Uint8Array(count), next: 1 });

/** Begins an epoch with some marks of its own, successive ones; returns the first. All marks set before are less. */
export function startEpoch(set: EpochSet, marks: number): number {
  if (set.next + marks > 256) {
    set.bytes.fill(0);
    set.next = 1;
  }
  const first = set.next;
  set.next += marks;
  return first;
}
