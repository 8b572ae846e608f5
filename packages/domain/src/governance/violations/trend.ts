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

/** The first day of a trend of so many days up to the day of an instant (ISO 8601). */
export const firstTrendDay = (now: string, days: number): string =>
  new Date(Date.parse(`${now.slice(0, 10)}T00:00:00Z`) - (days - 1) * DAY_MS).toISOString().slice(0, 10);

/** The days up to the day of `now`, from days with changes by date. `before` are the violations present before the first day. */
export function fillTrend(
  changed: ReadonlyMap<string, Omit<TrendDay, 'date'>>,
  { now, days, before }: { readonly now: string; readonly days: number; readonly before: number },
): readonly TrendDay[] {
  let open = before;
  const firstMs = Date.parse(`${firstTrendDay(now, days)}T00:00:00Z`);
  return Array.from({ length: days }, (_, at): TrendDay => {
    const date = new Date(firstMs + at * DAY_MS).toISOString().slice(0, 10);
    const day = changed.get(date);
    open = day?.open ?? open;
    return { date, opened: day?.opened ?? 0, ended: day?.ended ?? 0, open };
  });
}
