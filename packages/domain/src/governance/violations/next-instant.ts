import { hasWindow, intervalOf } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';

/** The first instant after `ms` at which a window of the assignments, or one of an exception, begins or ends; null for none. */
export function nextInstantAfter(
  ms: number,
  assignments: readonly TimedAccessRef[],
  exceptions: readonly { readonly start: string; readonly end: string }[],
): number | null {
  let next = Number.POSITIVE_INFINITY;
  const add = (instant: number) => {
    if (instant > ms && instant < next) next = instant;
  };
  for (const window of assignments) {
    if (!hasWindow(window)) continue;
    const { startMs, endMs } = intervalOf(window);
    // An empty window changes nothing.
    if (startMs >= endMs) continue;
    add(startMs);
    add(endMs);
  }
  for (const { start, end } of exceptions) {
    add(Date.parse(start));
    add(Date.parse(end));
  }
  return next === Number.POSITIVE_INFINITY ? null : next;
}
