import {
  ACCESS_TYPES,
  type HeldAccess,
  type Interval,
  type SodIndex,
  type TimedEntitlements,
  withEntitlements,
} from '@access-admin/domain';

// First word of sets with windows. No entitlement has this number.
const TIMED = 2 ** 32 - 1;
// A window has a start and an end of two words each.
const WINDOW_WORDS = 4;
// The type of a ref, its number, and the number of its windows.
const REF_WORDS = 3;

/** Encodes held access as words. Access without windows is its held set, unchanged; refs with windows are not expanded. */
export function packHeld({ held, timed }: HeldAccess): Uint32Array {
  if (timed === null) return held;
  const size = timed.reduce((sum, { windows }) => sum + REF_WORDS + windows.length * WINDOW_WORDS, 2 + held.length);
  const words = new Uint32Array(size);
  words.set([TIMED, held.length]);
  words.set(held, 2);
  let at = 2 + held.length;
  for (const { type, number, windows } of timed) {
    words.set([ACCESS_TYPES.indexOf(type), number, windows.length], at);
    const ends = Float64Array.from(windows.flatMap(({ startMs, endMs }) => [startMs, endMs]));
    words.set(new Uint32Array(ends.buffer), at + REF_WORDS);
    at += REF_WORDS + windows.length * WINDOW_WORDS;
  }
  return words;
}

/** Whether the words contain windows. */
export const areTimed = (words: Uint32Array): boolean => words[0] === TIMED;

/** Decodes words that contain windows, for an index with the catalogue that they were encoded for. */
export function unpackTimed(words: Uint32Array, { catalogue }: SodIndex): HeldAccess {
  const heldEnd = 2 + (words[1] ?? 0);
  const timed: TimedEntitlements[] = [];
  for (let at = heldEnd; at < words.length; ) {
    const [code = 0, number = 0, count = 0] = words.subarray(at, at + REF_WORDS);
    const end = at + REF_WORDS + count * WINDOW_WORDS;
    const windows = windowsOf(new Float64Array(words.slice(at + REF_WORDS, end).buffer));
    timed.push(withEntitlements(catalogue, { type: ACCESS_TYPES[code] ?? 'ENTITLEMENT', number, windows }));
    at = end;
  }
  return { held: words.subarray(2, heldEnd), timed };
}

const windowsOf = (ends: Float64Array): readonly Interval[] =>
  Array.from({ length: ends.length / 2 }, (_, at) => ({ startMs: ends[at * 2] ?? 0, endMs: ends[at * 2 + 1] ?? 0 }));
