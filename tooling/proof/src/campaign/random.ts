import fc from 'fast-check';

/** Draws a whole number from 0 up to, and without, `end`. */
export type Random = (end: number) => number;

/** Random numbers; the same seed gives the same ones (mulberry32). */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % end;
  };
}

const upTo = (max: number) => fc.noBias(fc.nat({ max }));

/** Random numbers drawn by fast-check, which shrinks them when the property fails. */
export const shrinkingRandom =
  (generator: fc.GeneratorValue): Random =>
  (end) =>
    generator(upTo, end - 1);

/** Draws one of the values; throws if there are none. */
export function drawOne<T>(random: Random, from: readonly T[]): T {
  const drawn = from[random(from.length)];
  if (drawn === undefined) throw new Error('nothing to draw from');
  return drawn;
}

export function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, key: random(2 ** 31) }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item);
}
