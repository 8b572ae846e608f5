import type { Window } from './assignments.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * A window from two texts: dates (2026-01-31, 20260131, 31.01.2026) or moments with an offset. The day of an end date belongs to
 * the window; days are those of UTC. Empty texts, 00000000 and years from 9999 on are no bound. Null where a text is no date.
 */
export function parseWindow(start: string, end: string): Window | null {
  const from = parseMoment(start, 0);
  const to = parseMoment(end, DAY_MS);
  if (from === null || to === null) return null;
  return { ...(from === 'none' ? {} : { start: from }), ...(to === 'none' ? {} : { end: to }) };
}

function parseMoment(text: string, addedMs: number): string | 'none' | null {
  if (text === '' || /^0+$/.test(text) || /9999/.test(text)) return 'none';
  const day = dayOf(text);
  if (day !== null) {
    const ms = Date.parse(`${day}T00:00:00.000Z`);
    // A day that does not exist, such as 31 February, is moved by some parsers and refused by others.
    if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) return null;
    return new Date(ms + addedMs).toISOString();
  }
  if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function dayOf(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  const [, dayFirst, monthNext, yearLast] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  if (dayFirst === undefined || monthNext === undefined) return null;
  return `${yearLast}-${monthNext.padStart(2, '0')}-${dayFirst.padStart(2, '0')}`;
}
