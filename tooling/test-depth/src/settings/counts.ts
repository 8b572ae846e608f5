import type { Depth, Settings } from './read.ts';

const REDUCTION = 10;
/** In a small sample the share of interesting cases varies: a quarter of the expected share is enough. */
const VARIATION = 4;

/** The counts and seeds of random cases under given settings. */
export interface Counts {
  /** The number of cases to draw: `full`, or a tenth of it at reduced depth. */
  atDepth(full: number): number;
  /** The number of cases of a test that a campaign repeats with more: CASES when it is set, else by depth. */
  cases(byDepth: Readonly<Record<Depth, number>>): number;
  /** The number of interesting cases that a run must exceed to be meaningful; given for full depth. */
  coverage(full: number): number;
  /** The parameters of a fast-check property. */
  runs(full: number): { readonly numRuns: number; readonly seed: number };
  /** The part of a list to test: all of it at full depth, else every tenth from where the seed begins. */
  sample<T>(all: readonly T[]): readonly T[];
  /** One seed for each case of a generator, counting up from SEED. */
  seeds(full: number): readonly number[];
}

export function createCounts({ depth, seed, cases }: Settings): Counts {
  const atDepth = (full: number) => (depth === 'full' ? full : Math.ceil(full / REDUCTION));
  return {
    atDepth,
    cases: (byDepth) => cases ?? byDepth[depth],
    coverage: (full) => (depth === 'full' ? full : Math.floor(full / REDUCTION / VARIATION) - 1),
    runs: (full) => ({ numRuns: atDepth(full), seed }),
    sample: (all) => (depth === 'full' ? all : all.filter((_, at) => at % REDUCTION === seed % REDUCTION)),
    seeds: (full) => Array.from({ length: atDepth(full) }, (_, at) => seed + at),
  };
}
