import type { AccessRef, TimedAccessRef } from './records.ts';

/** The time in which an access ref holds. */
export type AccessWindow = Pick<TimedAccessRef, 'start' | 'end'>;

/** An access ref with a window; ends that are null or undefined are left out. */
export const timedAccessRef = (
  { type, id }: AccessRef,
  { start, end }: { readonly start?: string | null | undefined; readonly end?: string | null | undefined },
): TimedAccessRef => ({ type, id, ...(start == null ? {} : { start }), ...(end == null ? {} : { end }) });

/** Whether an access ref holds only for some time. */
export const hasWindow = ({ start, end }: AccessWindow): boolean => start !== undefined || end !== undefined;

/** A window in milliseconds since 1970, half open; a missing end is infinitely far. */
export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

/** The interval of a window. */
export const intervalOf = ({ start, end }: AccessWindow): Interval => ({
  startMs: start === undefined ? Number.NEGATIVE_INFINITY : Date.parse(start),
  endMs: end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end),
});

/** Whether an instant lies in an interval. */
export const isWithin = ({ startMs, endMs }: Interval, ms: number): boolean => startMs <= ms && ms < endMs;

/** Whether an interval lies wholly in another one. */
export const contains = (outer: Interval, { startMs, endMs }: Interval): boolean =>
  outer.startMs <= startMs && endMs <= outer.endMs;

/** The intervals of each access ref, which may have several windows, in the order in which refs come first. */
export function groupByRef(
  refs: readonly TimedAccessRef[],
): Iterable<{ readonly ref: AccessRef; readonly intervals: readonly Interval[] }> {
  const groups = new Map<string, { readonly ref: AccessRef; readonly intervals: Interval[] }>();
  for (const ref of refs) {
    const key = `${ref.type}:${ref.id}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ref, intervals: [intervalOf(ref)] });
    else group.intervals.push(intervalOf(ref));
  }
  return groups.values();
}
