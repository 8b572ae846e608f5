/** The median of several rounds, with their range. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Contestant {
  readonly name: string;
  /** One unit of work; `turn` counts its calls. */
  work(turn: number): unknown;
}

/** Measures microseconds per call: the contestants take turns round by round, so that a noisy moment hits them alike. */
export function measureInterleaved(
  contestants: readonly Contestant[],
  { rounds, roundMs }: { readonly rounds: number; readonly roundMs: number },
): readonly Spread[] {
  const turns = contestants.map(() => 0);
  const times: number[][] = contestants.map(() => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [at, contestant] of contestants.entries()) {
      const first = turns[at] ?? 0;
      const { calls, micros } = workFor(contestant, first, roundMs);
      turns[at] = first + calls;
      if (round > 0) times[at]?.push(micros / calls);
    }
  }
  return times.map(spreadOf);
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1] ?? 0, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

// The clock is read once a batch, and batches grow: reading it costs as much as a fast call.
function workFor(contestant: Contestant, firstTurn: number, roundMs: number): { calls: number; micros: number } {
  const start = performance.now();
  let calls = 0;
  for (let batch = 1; ; batch = Math.min(batch * 2, 4096)) {
    for (let i = 0; i < batch; i++) contestant.work(firstTurn + calls + i);
    calls += batch;
    const elapsedMs = performance.now() - start;
    if (elapsedMs >= roundMs) return { calls, micros: elapsedMs * 1000 };
  }
}
