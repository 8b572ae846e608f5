const COUNTER_MAX = 0xfff;
/** A clock that goes back by more than this was set. */
const SET_BACK_MS = 1_000;

/**
 * Makes UUIDs of version 7: those of a process are in the order in which they were made, so that indexes by id are appended to,
 * unless the clock is set back. `newId` makes random UUIDs.
 */
export function createOrderedIds(newId: () => string): (nowMs: number) => string {
  let lastMs = 0;
  let counter = 0;
  return (nowMs) => {
    if (nowMs > lastMs || lastMs - nowMs > SET_BACK_MS) [lastMs, counter] = [nowMs, 0];
    else counter += 1;
    // Beyond 4,096 ids in a millisecond the time runs ahead.
    if (counter > COUNTER_MAX) [lastMs, counter] = [lastMs + 1, 0];
    // What follows the third group of a random UUID begins with the variant.
    return `${timeOf(lastMs)}-${(0x7000 | counter).toString(16)}${newId().slice(18)}`;
  };
}

/** The least of these ids at a time or later. */
export const leastOrderedId = (nowMs: number): string => `${timeOf(nowMs)}-7000-0000-000000000000`;

function timeOf(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
