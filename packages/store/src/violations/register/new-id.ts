import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 8;
// Filled and written for many ids at once.
const pool = Buffer.alloc(512 * RANDOM_BYTES);
let digits = '';
let used = 0;

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
  const rest = nextRandom();
  return `${time.slice(0, 8)}-${time.slice(8)}-${order}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

/** 16 hexadecimal digits that begin with the variant of a UUID. */
function nextRandom(): string {
  if (used === digits.length) {
    randomFillSync(pool);
    for (let at = 0; at < pool.length; at += RANDOM_BYTES) pool[at] = ((pool[at] ?? 0) & 0x3f) | 0x80;
    [digits, used] = [pool.toString('hex'), 0];
  }
  const start = used;
  used += 2 * RANDOM_BYTES;
  return digits.slice(start, used);
}
