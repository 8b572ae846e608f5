/** Draws a whole number from 0 up to, and without, `end`. */
export type Dice = (end: number) => number;

/** Throws that are the same ones for the same seed (mulberry32). */
export function createDice(seed: number): Dice {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % end;
  };
}

/** One of these, of which there is at least one. */
export function drawOne<T>(dice: Dice, from: readonly T[]): T {
  const drawn = from[dice(from.length)];
  if (drawn === undefined) throw new Error('nothing to draw from');
  return drawn;
}
