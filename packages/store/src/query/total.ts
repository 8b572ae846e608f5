import { setTimeout } from 'node:timers/promises';
import type { SelectQueryBuilder } from 'kysely';
import { startStopwatch } from '../engine/concurrency/stopwatch.ts';

/** How many rows a list has. */
export interface Total {
  readonly count: number;
  /** Whether there are no more; a count ends once it has passed 10,000. */
  readonly isExact: boolean;
}

/** How many rows a query selects, whichever its columns. */
export async function countRows<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = query.clearSelect().select((eb) => eb.fn.countAll<number>().as('count'));
  const { count } = await counted.$castTo<{ readonly count: number }>().executeTakeFirstOrThrow();
  return count;
}

/** A count that has passed this may end. */
export const COUNTED_MAX = 10_000;

export const exactly = (count: number): Total => ({ count, isExact: true });

/** Counts part by part, and leaves others as much time in between as each part took. `countNext` returns null at the end. */
export async function countInParts(countNext: () => Promise<number | null>, countedMax: number): Promise<Total> {
  let count = 0;
  for (;;) {
    const workedMs = startStopwatch();
    const next = await countNext();
    if (next === null) return exactly(count);
    count += next;
    if (count > countedMax) return { count, isExact: false };
    await setTimeout(workedMs());
  }
}
