import type { SodException } from '@access-admin/client';

/** A bar of the calendar, as parts of its width from 0 to 1. */
export interface Bar {
  readonly from: number;
  readonly to: number;
}

/** A calendar from the first of a month to the first of a month. */
export interface Timeline {
  readonly months: readonly { readonly start: string; readonly at: number }[];
  readonly now: number;
  /** The bar of each exception, in their order. */
  readonly bars: readonly Bar[];
}

const MONTHS_MIN = 3;
/** An exception lasts 366 days at most. */
const MONTHS_MAX = 14;

/** Places exceptions in a calendar that begins with the month of now. */
export function placeExceptions(exceptions: readonly Pick<SodException, 'start' | 'end'>[], nowMs: number): Timeline {
  const now = new Date(nowMs);
  const monthMs = (count: number) => new Date(now.getFullYear(), now.getMonth() + count, 1).getTime();
  const lastMs = Math.max(nowMs, ...exceptions.map(({ end }) => Date.parse(end)));
  let count = MONTHS_MIN;
  while (count < MONTHS_MAX && monthMs(count) < lastMs) count++;
  const startMs = monthMs(0);
  const endMs = monthMs(count);
  const placeOf = (ms: number) => Math.min(1, Math.max(0, (ms - startMs) / (endMs - startMs)));
  return {
    months: Array.from({ length: count }, (_, at) => ({
      start: new Date(monthMs(at)).toISOString(),
      at: placeOf(monthMs(at)),
    })),
    now: placeOf(nowMs),
    bars: exceptions.map(({ start, end }) => ({ from: placeOf(Date.parse(start)), to: placeOf(Date.parse(end)) })),
  };
}
