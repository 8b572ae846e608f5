/** The keys of accounts that were seen. A set of a million texts would take a hundred megabytes; this takes 16. */
export interface SeenKeys {
  /** False if the key was added before. */
  add(key: string): boolean;
}

const SIZE_MIN = 1024;
const WORDS = 2;

/** Keeps 64 of the bits of each key, which are those of a digest: two of a million are the same once in 30 million times. */
export function createSeenKeys(): SeenKeys {
  let table = new Uint32Array(SIZE_MIN * WORDS);
  let count = 0;
  const insert = (high: number, low: number): boolean => {
    const places = table.length / WORDS;
    for (let place = high % places; ; place = (place + 1) % places) {
      const isHere = (one: number, other: number) => table[place * WORDS] === one && table[place * WORDS + 1] === other;
      if (isHere(high, low)) return false;
      if (!isHere(0, 0)) continue;
      table.set([high, low], place * WORDS);
      return true;
    }
  };
  const grow = () => {
    const before = table;
    table = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += WORDS) {
      const high = before[at] ?? 0;
      const low = before[at + 1] ?? 0;
      if (high !== 0 || low !== 0) insert(high, low);
    }
  };
  return {
    add: (key) => {
      const high = Number.parseInt(key.slice(0, 8), 16);
      // The digits behind those of the version and the variant.
      const low = Number.parseInt(key.slice(-8), 16);
      if (!insert(high, low)) return false;
      count += 1;
      if (count * WORDS * 2 > table.length) grow();
      return true;
    },
  };
}
