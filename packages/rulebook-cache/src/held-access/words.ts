import type { HeldAccess, TimedEntitlements } from '@access-admin/domain';

// First word of sets with windows. No entitlement has this number.
const TIMED = 2 ** 32 - 1;
// A window has a start and an end of two words each.
const WINDOW_WORDS = 4;

/** Encodes held access as words. Access without windows is its held set, unchanged. */
export function packHeld({ held, timed }: HeldAccess): Uint32Array {
  if (timed === null) return held;
  const size = timed.reduce((sum, { entitlements }) => sum + WINDOW_WORDS + 1 + entitlements.length, 2 + held.length);
  const words = new Uint32Array(size);
  words.set([TIMED, held.length]);
  words.set(held, 2);
  let at = 2 + held.length;
  for (const { startMs, endMs, entitlements } of timed) {
    words.set(new Uint32Array(new Float64Array([startMs, endMs]).buffer), at);
    words[at + WINDOW_WORDS] = entitlements.length;
    words.set(entitlements, at + WINDOW_WORDS + 1);
    at += WINDOW_WORDS + 1 + entitlements.length;
  }
  return words;
}

/** Whether the words contain windows. */
export const areTimed = (words: Uint32Array): boolean => words[0] === TIMED;

/** Decodes words that contain windows. */
export function unpackTimed(words: Uint32Array): HeldAccess {
  const heldEnd = 2 + (words[1] ?? 0);
  const timed: TimedEntitlements[] = [];
  for (let at = heldEnd; at < words.length; ) {
    const start = at + WINDOW_WORDS + 1;
    const end = start + (words[at + WINDOW_WORDS] ?? 0);
    const [startMs = 0, endMs = 0] = new Float64Array(words.slice(at, at + WINDOW_WORDS).buffer);
    timed.push({ startMs, endMs, entitlements: words.subarray(start, end) });
    at = end;
  }
  return { held: words.subarray(2, heldEnd), timed };
}
