/** Draws a whole number from 0 up to, and without, `end`. */
export type Random = (end: number) => number;

/** Throws that are the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % end;
  };
}

/** One of these, of which there is at least one. */
export function drawOne<T>(random: Random, from: readonly T[]): T {
  const drawn = from[random(from.length)];
  if (drawn === undefined) throw new Error('nothing to draw from');
  return drawn;
}
