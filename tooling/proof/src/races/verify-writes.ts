import type { Counted } from './counters.ts';

/** An accepted write: the version it was based on, and its result. */
export interface AcceptedWrite extends Counted {
  readonly base: string;
}

/** Returns how many accepted writes are missing in the sum; each write adds one. */
export const countLost = (first: Counted, accepted: readonly AcceptedWrite[], last: Counted): number =>
  accepted.length - (last.number - first.number);

/**
 * Returns why the accepted writes are not one chain from `first` to `last`, in which each write is based on the result
 * of the previous one; empty if they are.
 */
export function verifyWrites(first: Counted, accepted: readonly AcceptedWrite[], last: Counted): readonly string[] {
  const faults: string[] = [];
  const nextByBase = new Map(accepted.map((write) => [write.base, write]));
  const sharing = accepted.length - nextByBase.size;
  if (sharing > 0) faults.push(`${sharing} were made from a version that another one had replaced`);
  let end = first;
  let length = 0;
  for (let next = nextByBase.get(end.etag); next !== undefined && length <= accepted.length; length++) {
    if (next.number !== end.number + 1) faults.push(`${next.number} follows ${end.number}`);
    end = next;
    next = nextByBase.get(end.etag);
  }
  if (length !== accepted.length)
    faults.push(`${accepted.length} were accepted, but only ${length} follow one another`);
  if (end.etag !== last.etag || end.number !== last.number) faults.push('the last write is not the current state');
  const lost = countLost(first, accepted, last);
  if (lost > 0) faults.push(`${lost} are lost`);
  return faults;
}
