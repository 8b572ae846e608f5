/** Sets of numbers that are joined until only independent ones are apart. */
export interface DisjointSets {
  join(one: number, other: number): void;
  /** The number that stands for the set of a number. */
  find(number: number): number;
}

/** The numbers below `count`, each a set of its own. */
export function createDisjointSets(count: number): DisjointSets {
  const parents = Uint32Array.from({ length: count }, (_, number) => number);
  const find = (number: number): number => {
    let root = number;
    while (parents[root] !== root) root = parents[root] ?? root;
    for (let at = number; at !== root; ) {
      const next = parents[at] ?? root;
      parents[at] = root;
      at = next;
    }
    return root;
  };
  return {
    find,
    join: (one, other) => {
      const left = find(one);
      const right = find(other);
      parents[Math.max(left, right)] = Math.min(left, right);
    },
  };
}
