/** The most characters of a reason or a comment. */
export const WORDS_MAX = 4000;

/** The days of the longest exception, less one: its last day ends after the hour at which it begins. */
export const DAYS_MAX = 365;
/** The days that the field begins with. */
const DAYS_OFFERED = 30;

/** A day in so many days, such as `2027-01-31`, as the calendar of the person has it: some of its days have 23 or 25 hours. */
export function dayIn(days: number, nowMs: number): string {
  const date = new Date(nowMs);
  date.setDate(date.getDate() + days);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** The day on which an exception ends if nothing else is chosen. */
export const offeredDay = (nowMs: number): string => dayIn(DAYS_OFFERED, nowMs);

/** The last instant of a day of the calendar of the person; null for what is no day. */
export function endOfDay(day: string): string | null {
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** How long a control lasts, such as `720h` or `20d`. */
export function lengthOf(expiration: string): { readonly count: number; readonly unit: 'hour' | 'day' } | null {
  const [, count, unit] = /^(\d+)([hd])$/.exec(expiration) ?? [];
  return count === undefined ? null : { count: Number(count), unit: unit === 'h' ? 'hour' : 'day' };
}

/** Writes how long a control lasts in words. Returns a text that is neither hours nor days unchanged. */
export function writeLength(expiration: string, locale: string): string {
  const length = lengthOf(expiration);
  if (length === null) return expiration;
  return new Intl.NumberFormat(locale, { style: 'unit', unit: length.unit, unitDisplay: 'long' }).format(length.count);
}
