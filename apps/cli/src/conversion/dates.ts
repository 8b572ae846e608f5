import type { Window } from './assignments.ts';

const DAY_MS = 24 * 3_600_000;
/** No access of today has ended before. */
const FIRST_END_MS = Date.UTC(1970, 0, 1);

/** Whether 03/04/2026 is in March or in April. */
export type DateOrder = 'MDY' | 'DMY';

/** How the dates of a file are written. */
export interface DateForms {
  /** The order of dates with slashes, which are faults without it. */
  readonly order?: DateOrder | undefined;
  /** The day of an end date does not belong to the window. */
  readonly endExcluded?: boolean;
}

/** A window, or why there is none. */
export type ParsedWindow = { readonly window: Window } | { readonly fault: string };

/** A moment, or a whole day, from a text; `none` for an empty one and for a date of zeros. */
type Moment = { readonly ms: number; readonly isDay: boolean; readonly isLast: boolean };

/**
 * A window from two texts: days (2026-01-31, 20260131, 31.01.2026), days with a time, which is UTC without an offset, or moments of
 * directories (20260131120000Z). A day with the time 00:00:00 and no offset is the day. The day of an end date belongs to the
 * window. Empty texts and dates of zeros are no bound, and an end on 9999-12-31 is none. An end before 1970 is a fault.
 */
export function parseWindow(start: string, end: string, forms: DateForms = {}): ParsedWindow {
  const from = parseMoment(start, forms);
  const to = parseMoment(end, forms);
  const faulty = [from === null ? start : '', to === null ? end : ''].filter((text) => text !== '');
  if (from === null || to === null) return { fault: notADate(faulty) };
  // Systems that cannot leave a date out write the first one that they have: 0001-01-01, 1601-01-01, 1753-01-01, 1900-01-01.
  if (to !== 'none' && to.ms < FIRST_END_MS)
    return {
      fault: `ends before 1970: ${end}; in a mapping, \`values: {end: {${JSON.stringify(end)}: ""}}\` says that it is no end`,
    };
  const endMs = to === 'none' || to.isLast ? null : to.isDay && forms.endExcluded !== true ? to.ms + DAY_MS : to.ms;
  if (from !== 'none' && endMs !== null && endMs <= from.ms)
    return { fault: `ends before it starts: ${start} to ${end}` };
  return {
    window: {
      ...(from === 'none' ? {} : { start: new Date(from.ms).toISOString() }),
      ...(endMs === null ? {} : { end: new Date(endMs).toISOString() }),
    },
  };
}

/** Whether a text is a date, in a form that windows are read from. */
export const isDate = (text: string): boolean => {
  const moment = parseMoment(text, { order: 'DMY' }) ?? parseMoment(text, { order: 'MDY' });
  return moment !== null && moment !== 'none';
};

/** Whether people would read a text as a date, in whatever form, also with a word before it that says from or until when. */
export function looksLikeDate(text: string): boolean {
  if (text.length > DATE_LENGTH_MAX || !/\d/.test(text)) return false;
  if (isDate(text)) return true;
  const bare = text.normalize('NFC').toLowerCase().replace(BEFORE, '').replace(CLOCK, '');
  if (isDate(bare)) return true;
  const [, first, second] = YEAR_AFTER.exec(bare) ?? YEAR_BEFORE.exec(bare) ?? [];
  if (first !== undefined && second !== undefined) return isDay(first, second) || isDay(second, first);
  const named = DAY_AND_MONTH.exec(bare) ?? MONTH_AND_DAY.exec(bare) ?? YEAR_AND_MONTH.exec(bare);
  const { day = '', month = '' } = named?.groups ?? {};
  const [, number = MONTHS.test(month) ? '1' : ''] = /^(?:tháng|thg)\.? ?(\d+)$/.exec(month) ?? [];
  return isDay(day, number);
}

const DATE_LENGTH_MAX = 48;
/** A day of the week, and the words of an end or a beginning. */
const BEFORE =
  /^(?:(?:(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*|(?:mo|di|mi|do|fr|sa|so)(?:\p{L}*tag|\p{L}*woch)?|until|till?|to|from|since|valid|through|bis|zum|ab|seit|vom|von|gültig|befristet|ngày)[.,:]?\s+)+/u;
/** A time after a date, with what follows it. */
const CLOCK = /(?:[t,:]\s*|\s+)\d{1,2}[:.]\d{2}(?:[:. ].*)?$/;
const YEAR_AFTER = /^(\d{1,2})[./-]\s?(\d{1,2})[./-]\s?(?:\d{4}|\d{2})$/;
const YEAR_BEFORE = /^\d{4}[./-](\d{1,2})[./-](\d{1,2})$/;
const DAY_AND_MONTH =
  /^(?<day>\d{1,2})(?:\.|st|nd|rd|th)?[\s./-]*(?<month>\p{L}+(?:\.? ?\d{1,2}(?=\D))?)[\s.,/-]*(?:năm )?(?:\d{4}|\d{2})$/u;
const MONTH_AND_DAY = /^(?<month>\p{L}+)[\s.-]*(?<day>\d{1,2})(?:\.|st|nd|rd|th)?[\s.,-]+(?:\d{4}|\d{2})$/u;
const YEAR_AND_MONTH = /^\d{4}[\s./-]+(?<month>\p{L}+)[\s./-]*(?<day>\d{1,2})$/u;
/** In English, German, French and Vietnamese. */
const MONTHS =
  /^(?:jan(?:uary|uar|vier)?|jänner|feb(?:ruary|ruar)?|feber|février|mar(?:ch|s)?|märz?|maerz|mrz|apr(?:il)?|avril|ma[yi]|june?|juni?|juin|july?|juli?|juillet|aug(?:ust)?|août|sept?(?:ember|embre)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember)?|décembre)$/;

const isDay = (day: string, month: string): boolean =>
  Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12;

/** The time that is in two windows; null where there is none. */
export function intersect(one: Window, other: Window): Window | null {
  const start = [one.start, other.start]
    .filter((text) => text !== undefined)
    .sort()
    .at(-1);
  const end = [one.end, other.end].filter((text) => text !== undefined).sort()[0];
  if (start !== undefined && end !== undefined && end <= start) return null;
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

const notADate = (texts: readonly string[]): string =>
  texts.some((text) => SLASHES.test(text))
    ? `not a date: ${texts.join(', ')}; in a mapping, \`dates: DMY\` or \`dates: MDY\` says what comes first`
    : `not a date: ${texts.join(', ')}; a date is 2026-01-31, 20260131 or 31.01.2026`;

const SLASHES = /^\d{1,2}\/\d{1,2}\/\d{4}/;
const YEAR_FIRST = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](.+))?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})(\.\d+|,\d+)?(Z|[+-]\d{4})?)?$/;
const DOTS = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? +(.+))?$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,? +(.+))?$/;
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

function parseMoment(text: string, { order }: DateForms): Moment | 'none' | null {
  const parts = partsOf(text, order);
  if (text === '' || /^0+$/.test(text)) return 'none';
  if (parts === null) return null;
  const { year, month, day, time } = parts;
  const clock = time === undefined ? ['', '00', '00', '00', undefined, undefined] : TIME.exec(time);
  if (clock === null) return null;
  const [, hours = '', minutes = '', seconds = '00', fraction = '', offset] = clock;
  const isMidnight = Number(hours + minutes + seconds + fraction) === 0 && offset === undefined;
  if (Number(year + month + day) === 0) return isMidnight ? 'none' : null;
  const date = `${year}-${month}-${day}`;
  const midnightMs = Date.parse(`${date}T00:00:00.000Z`);
  // A day that does not exist, such as 31 February, is moved by some parsers and refused by others.
  if (Number.isNaN(midnightMs) || new Date(midnightMs).toISOString().slice(0, 10) !== date) return null;
  const ms = Date.parse(
    `${date}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zoneOf(offset)}`,
  );
  return Number.isNaN(ms) ? null : { ms, isDay: isMidnight, isLast: date === '9999-12-31' };
}

const zoneOf = (offset: string | undefined): string =>
  offset === undefined || /^z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;

interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly time: string | undefined;
}

function partsOf(text: string, order: DateOrder | undefined): DateParts | null {
  const [, year, month, day, time] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return { year, month: month ?? '', day: day ?? '', time };
  const compact = COMPACT.exec(text);
  if (compact !== null) {
    const [, whole = '', of = '', on = '', hours, minutes, seconds, fraction = '', offset = ''] = compact;
    const given = hours === undefined ? undefined : `${hours}:${minutes}:${seconds}${fraction}${offset}`;
    return { year: whole, month: of, day: on, time: given };
  }
  const [, first, second, last, later] = DOTS.exec(text) ?? [];
  if (last !== undefined) return { year: last, month: two(second), day: two(first), time: later };
  const [, one, other, ending, clock] = (order === undefined ? null : SLASHED.exec(text)) ?? [];
  if (ending === undefined) return null;
  const [monthPart, dayPart] = order === 'MDY' ? [one, other] : [other, one];
  return { year: ending, month: two(monthPart), day: two(dayPart), time: clock };
}

const two = (digits = ''): string => digits.padStart(2, '0');
