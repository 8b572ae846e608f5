import type { ViolationSummary } from '@access-admin/client';
import { scaleTo } from './scale.ts';

export type Days = ViolationSummary['trend'];

/** A picture of few days has at least so many: a single one would fill it. */
const DAYS_MIN = 7;

/** The days from the first one with a violation on, or the last days where there is none. */
export function fromFirstDay(days: Days): Days {
  const first = days.findIndex(({ opened, ended, open }) => opened + ended + open > 0);
  const begin = first === -1 ? days.length : first;
  return days.slice(Math.max(0, Math.min(begin, days.length - DAYS_MIN)));
}

/** Where a chart has its lines: what opened and what is open above zero, what ended below. */
export interface Scale {
  /** From below to above, at equal distances, with zero among them. */
  readonly marks: readonly number[];
  readonly top: number;
  readonly bottom: number;
}

/** The scale of a chart of these days. */
export function scaleOf(days: Days): Scale {
  const above = Math.max(0, ...days.flatMap(({ opened, open }) => [opened, open]));
  const below = Math.max(0, ...days.map(({ ended }) => ended));
  const [, step = 1] = scaleTo(Math.max(above, below));
  const top = Math.max(1, Math.ceil(above / step)) * step;
  const bottom = -Math.ceil(below / step) * step;
  const marks = Array.from({ length: (top - bottom) / step + 1 }, (_, at) => bottom + at * step);
  return { marks, top, bottom };
}
