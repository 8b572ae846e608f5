import { countBefore } from '@access-admin/domain';

/** A seeded source of randomness: the same seed gives the same world. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** An integer in [0, `end`). */
  below(end: number): number;
  /** A rounded log-normal value around `median`, drawn again until it lies within the bounds. */
  logNormal(shape: {
    readonly median: number;
    readonly sigma: number;
    readonly min: number;
    readonly max: number;
  }): number;
}

export function createRandom(seed: number): Random {
  // mulberry32
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    below: (end) => Math.floor(next() * end),
    logNormal: ({ median, sigma, min, max }) => {
      for (;;) {
        const value = Math.round(median * Math.exp(sigma * normal()));
        if (value >= min && value <= max) return value;
      }
    },
  };
}

/** Draws items with Zipf-distributed popularity. The rank of each item is drawn once. */
export function createZipf(random: Random, count: number, exponent: number): () => number {
  const itemsByRank = shuffle(
    random,
    Uint32Array.from({ length: count }, (_, item) => item),
  );
  const cumulative = new Float64Array(count);
  let total = 0;
  for (let rank = 0; rank < count; rank++) {
    total += (rank + 1) ** -exponent;
    cumulative[rank] = total;
  }
  return () => {
    const drawn = random.next() * total;
    return itemsByRank[countBefore(count - 1, (rank) => (cumulative[rank] ?? 0) < drawn)] ?? 0;
  };
}

/** Draws until there are `count` different items. */
export function drawDistinct(draw: () => number, count: number): number[] {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(draw());
  return [...drawn];
}

function shuffle(random: Random, items: Uint32Array): Uint32Array {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [items[i], items[j]] = [items[j] ?? 0, items[i] ?? 0];
  }
  return items;
}
