import { randomUUID } from 'node:crypto';

let lastMs = 0;
let counter = 0;

/** A UUID of version 7: ids of this process are in the order in which they were made, so that indexes by id are appended to. */
export function newViolationId(nowMs: number): string {
  counter = nowMs > lastMs ? 0 : counter + 1;
  // Beyond 4,096 ids in a millisecond the time runs ahead.
  if (counter > 0xfff) [lastMs, counter] = [lastMs + 1, 0];
  lastMs = Math.max(lastMs, nowMs);
  const time = lastMs.toString(16).padStart(12, '0');
  const order = (0x7000 | counter).toString(16);
  // What follows the third group of a random UUID begins with the variant.
  return `${time.slice(0, 8)}-${time.slice(8)}-${order}-${randomUUID().slice(19)}`;
}
