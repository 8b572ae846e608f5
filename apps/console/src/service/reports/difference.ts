import type { SodReportChange, SodReportViolation } from '@access-admin/client';
import { compareTexts } from '../compare-texts.ts';

/** How many lines of each kind a page lists. */
export const LISTED_MAX = 100;

/** What is in a report and not in an earlier one, the other way round, and in both. */
export interface Difference {
  readonly counts: Readonly<Record<SodReportChange, number>>;
  /** The first lines of each kind, in the order of reports. */
  readonly first: Readonly<Record<SodReportChange, readonly SodReportViolation[]>>;
}

export interface CompareOptions {
  /** The lines of the reports, a page at a time, in the order of reports. */
  readonly earlier: AsyncIterable<readonly SodReportViolation[]>;
  readonly later: AsyncIterable<readonly SodReportViolation[]>;
  /** Called for each page that has been read, with the number of lines of both reports so far. */
  readonly onRead?: (lines: number) => void;
}

/**
 * Compares two reports by merging their lines, which are sorted: of both reports no more than a page is in memory, and the first
 * lines of each kind. A line is the same where policy, person and change are.
 */
export async function compareReports({ earlier, later, onRead = () => {} }: CompareOptions): Promise<Difference> {
  const counts = { new: 0, gone: 0, same: 0 };
  const first: Record<SodReportChange, SodReportViolation[]> = { new: [], gone: [], same: [] };
  let lines = 0;
  const tell = (read: number) => {
    lines += read;
    onRead(lines);
  };
  const before = openCursor(earlier, tell);
  const after = openCursor(later, tell);
  const add = (change: SodReportChange, line: SodReportViolation | undefined) => {
    counts[change] += 1;
    if (line !== undefined && first[change].length < LISTED_MAX) first[change].push(line);
  };
  try {
    await Promise.all([before.fill(), after.fill()]);
    while (before.line !== undefined || after.line !== undefined) {
      const order = compareLines(before.line, after.line);
      if (order < 0) add('gone', before.line);
      else add(order > 0 ? 'new' : 'same', after.line);
      if (order <= 0 && !before.advance()) await before.fill();
      if (order >= 0 && !after.advance()) await after.fill();
    }
    return { counts, first };
  } finally {
    await Promise.all([before.close(), after.close()]);
  }
}

/** The present line of a list that is read page by page. */
function openCursor(pages: AsyncIterable<readonly SodReportViolation[]>, onPage: (lines: number) => void) {
  const iterator = pages[Symbol.asyncIterator]();
  let page: readonly SodReportViolation[] = [];
  let at = 0;
  let line: SodReportViolation | undefined;
  const show = () => {
    const next = page[at];
    if (next !== undefined && line !== undefined && compareLines(line, next) >= 0)
      throw new Error('The violations of a report are not in order.');
    line = next;
  };
  return {
    /** Undefined at the end. */
    get line() {
      return line;
    },
    /** Goes to the next line; false where another page has to be read first. */
    advance: () => {
      at += 1;
      if (at >= page.length) return false;
      show();
      return true;
    },
    /** Goes to the first line of the next page. */
    fill: async () => {
      at = 0;
      for (page = []; page.length === 0; ) {
        const { done, value } = await iterator.next();
        if (done) break;
        page = value;
        onPage(page.length);
      }
      show();
    },
    close: async () => {
      await iterator.return?.();
    },
  };
}

/** The order of reports, in which the end comes after all lines. Ids have ASCII characters only. */
function compareLines(one: SodReportViolation | undefined, other: SodReportViolation | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return (
    compareTexts(one.policyId, other.policyId) ||
    compareTexts(one.identityId, other.identityId) ||
    compareTexts(one.change, other.change)
  );
}
