import type { AccessRef, TimedAccessRef } from './records.ts';

/** When an access ref holds. */
export type AccessWindow = Pick<TimedAccessRef, 'start' | 'end'>;

/** An access ref with its window, whose missing ends may be null; a plain one where both are missing. */
export const timedAccessRef = (
  { type, id }: AccessRef,
  { start, end }: { readonly start?: string | null | undefined; readonly end?: string | null | undefined },
): TimedAccessRef => ({ type, id, ...(start == null ? {} : { start }), ...(end == null ? {} : { end }) });

/** Whether an access ref holds for a time only. */
export const hasWindow = ({ start, end }: AccessWindow): boolean => start !== undefined || end !== undefined;

/** A window in milliseconds since 1970, half open; a missing end is infinitely far. */
export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

/** The span of a window. */
export const intervalOf = ({ start, end }: AccessWindow): Interval => ({
  startMs: start === undefined ? Number.NEGATIVE_INFINITY : Date.parse(start),
  endMs: end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end),
});

/** Whether a moment lies in the span. */
export const isWithin = ({ startMs, endMs }: Interval, ms: number): boolean => startMs <= ms && ms < endMs;
