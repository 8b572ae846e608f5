/** Marks on numbered things, written while a call runs; nothing in them outlives it. */
export interface EpochSet {
  /** One mark per thing. */
  readonly bytes: Uint8Array;
  /** The first of the two marks that the last call took. */
  last: number;
}

/** As many marks as there are things, none of them taken. */
export const createEpochSet = (count: number): EpochSet => ({ bytes: new Uint8Array(count), last: 0 });

/** Takes two marks that nothing bears: the one returned and its successor, both greater than every mark left behind. */
export function startEpoch(marks: EpochSet): number {
  marks.last += 2;
  if (marks.last > 0xfe) {
    marks.bytes.fill(0);
    marks.last = 2;
  }
  return marks.last;
}
