/** What the violations of a UTC day were. */
export interface TrendDay {
  /** `2026-11-22`. */
  readonly date: string;
  readonly opened: number;
  readonly ended: number;
  /** The violations present at its end, mitigated ones included. */
  readonly open: number;
}

const DAY_MS = 86_400_000;

/** The first day of a trend of `days` days up to the day of an instant (ISO 8601). */
export const firstTrendDay = (now: string, days: number): string =>
  new Date(Date.parse(`${now.slice(0, 10)}T00:00:00Z`) - (days - 1) * DAY_MS).toISOString().slice(0, 10);

interface Trend {
  readonly days: number;
  /** The days that had changes. */
  readonly changed: readonly Omit<TrendDay, 'open'>[];
  /** The violations present now, mitigated ones included. */
  readonly open: number;
}

/** The days up to the day of `now`, counted back from the violations present now. */
export function trendUntil(now: string, { days, changed, open: present }: Trend): readonly TrendDay[] {
  const byDate = new Map(changed.map((day) => [day.date, day]));
  const firstMs = Date.parse(`${firstTrendDay(now, days)}T00:00:00Z`);
  const later = changed.filter(({ date }) => date > now.slice(0, 10));
  let open = later.reduce((before, { opened, ended }) => before - opened + ended, present);
  const trend = Array.from({ length: days }, (_, at): TrendDay => {
    const date = new Date(firstMs + (days - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    const { opened = 0, ended = 0 } = byDate.get(date) ?? {};
    const day = { date, opened, ended, open };
    open -= opened - ended;
    return day;
  });
  return trend.toReversed();
}
