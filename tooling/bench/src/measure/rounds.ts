/** The median of several rounds and their range. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Measured rounds, without the one that warms up. */
export const ROUNDS = 5;

/**
 * Runs the contestants in turn, round by round, so that noise affects them equally. Returns the results of each contestant
 * by round, without the rounds that warm up.
 */
export async function takeTurns<C, R>(
  contestants: readonly C[],
  play: (contestant: C, round: number) => R | Promise<R>,
  { counted, warmUp }: { readonly counted: number; readonly warmUp: number } = { counted: ROUNDS, warmUp: 1 },
): Promise<readonly (readonly R[])[]> {
  const results: R[][] = contestants.map(() => []);
  for (let round = 0; round < warmUp + counted; round++) {
    for (const [at, contestant] of contestants.entries()) {
      const result = await play(contestant, round);
      if (round >= warmUp) results[at]?.push(result);
    }
  }
  return results;
}

/** One unit of work; `turn` counts its calls. A promise is awaited before the next call. */
export type Work = (turn: number) => unknown;

/** Microseconds per call of each work, by round. A round takes `roundMs`, or one call if that takes longer. */
export function measureInterleaved(works: readonly Work[], roundMs: number): Promise<readonly (readonly number[])[]> {
  const turns = new Map<Work, number>();
  return takeTurns(works, async (work) => {
    const first = turns.get(work) ?? 0;
    const { calls, micros } = await measureWork(work, { first, roundMs });
    turns.set(work, first + calls);
    return micros / calls;
  });
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1] ?? 0, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

export const p95Of = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;

/** `a` divided by `b`, round by round. */
export function ratioOf(a: readonly number[], b: readonly number[]): Spread {
  return spreadOf(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}

/** Calls for `roundMs`, from turn `first` on. Reading the clock costs as much as a fast call: it is read once a batch. */
export async function measureWork(
  work: Work,
  { first, roundMs }: { readonly first: number; readonly roundMs: number },
): Promise<{ readonly calls: number; readonly micros: number }> {
  const start = performance.now();
  let calls = 0;
  for (let batch = 1; ; batch = Math.min(batch * 2, 4096)) {
    for (let i = 0; i < batch; i++) {
      const result = work(first + calls + i);
      if (result instanceof Promise) await result;
    }
    calls += batch;
    const elapsedMs = performance.now() - start;
    if (elapsedMs >= roundMs) return { calls, micros: elapsedMs * 1000 };
  }
}
