import { type AccessAdminClient, filter, type SodReportViolation } from '@access-admin/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ReportSearch } from './search.ts';

/** How many lines are read at once, as many as the service gives. */
export const PAGE_LINES = 250;

/** The violations of a report that a search stands for, as the service filters them. */
export function lineQueryOf({ change, level, covered, policy, person }: ReportSearch) {
  const parts = [
    level !== undefined && filter`level eq ${level}`,
    covered !== undefined && filter`excepted eq ${String(covered === 'yes')}`,
    policy !== undefined && filter`policyId eq ${policy}`,
    person !== undefined && filter`identityId eq ${person}`,
  ].filter((part) => part !== false);
  return { change, filters: parts.length === 0 ? undefined : parts.join(' and ') };
}

// A report that has ended never changes, so no event concerns its lines.
const NEVER_STALE = { staleTime: Number.POSITIVE_INFINITY };

/** How many violations of a report a search finds. */
export const lineCountQuery = (api: AccessAdminClient, reportId: string, search: ReportSearch) => {
  const query = lineQueryOf(search);
  return queryOptions({
    ...NEVER_STALE,
    queryKey: ['report-lines', reportId, 'count', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.sodReports.violationsPage(reportId, { ...query, limit: 1, count: true, signal })).total ?? 0,
  });
};

/** The violations of a report that a search finds, page by page. */
export const linesQuery = (api: AccessAdminClient, reportId: string, search: ReportSearch) => {
  const query = lineQueryOf(search);
  return (page: number) =>
    queryOptions({
      ...NEVER_STALE,
      queryKey: ['report-lines', reportId, 'page', query, page],
      queryFn: async ({ signal }): Promise<readonly SodReportViolation[]> => {
        const options = { ...query, limit: PAGE_LINES, offset: page * PAGE_LINES, signal };
        return (await api.sodReports.violationsPage(reportId, options)).items;
      },
    });
};

/** Reads the violations of a report that a search finds, a page at a time, the next page while one is used. */
export async function* readPages(
  { sodReports }: Pick<AccessAdminClient, 'sodReports'>,
  reportId: string,
  { search, signal }: { readonly search: ReportSearch; readonly signal: AbortSignal },
): AsyncGenerator<readonly SodReportViolation[], void, undefined> {
  const read = (offset: number) => {
    const page = sodReports.violationsPage(reportId, { ...lineQueryOf(search), limit: PAGE_LINES, offset, signal });
    // The caller may have stopped reading before this page arrives: its error is then not reported.
    page.catch(() => {});
    return page;
  };
  let next = read(0);
  for (let offset = 0; ; ) {
    const { items, more } = await next;
    signal.throwIfAborted();
    offset += items.length;
    const hasMore = more && items.length > 0;
    if (hasMore) next = read(offset);
    yield items;
    if (!hasMore) return;
  }
}
