import type { AccessAdminClient, AuditEvent } from '@access-admin/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { filtersOf } from './filters.ts';
import { partOf } from './rows.ts';
import type { AuditSearch } from './search.ts';

// No event tells of new entries.
const COUNT_AGAIN_MS = 10_000;

/** How many entries a search finds now. */
export const auditCountQuery = (api: AccessAdminClient, search: AuditSearch) => {
  const filters = filtersOf(search);
  return queryOptions({
    queryKey: ['audit', 'count', filters ?? ''],
    refetchInterval: COUNT_AGAIN_MS,
    queryFn: async ({ signal }) => (await api.auditEvents.page({ filters, limit: 1, count: true, signal })).total ?? 0,
  });
};

/** The rows of a page of a search that found so many entries. Entries never change, and new ones stand behind them. */
export const auditRowsQuery = (api: AccessAdminClient, search: AuditSearch, total: number) => {
  const filters = filtersOf(search);
  const isOldestFirst = search.order === 'oldest';
  return (page: number) =>
    queryOptions({
      queryKey: ['audit', 'rows', filters ?? '', isOldestFirst, total, page],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async ({ signal }): Promise<readonly AuditEvent[]> => {
        const { items } = await api.auditEvents.page({ filters, ...partOf(page, total, isOldestFirst), signal });
        return isOldestFirst ? items : items.toReversed();
      },
    });
};

/** One entry; null where the log has none of this sequence. */
export const auditEntryQuery = (api: AccessAdminClient, sequence: number) =>
  queryOptions({
    queryKey: ['audit', 'entry', sequence],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<AuditEvent | null> => {
      // Sequences have no gaps; archived entries are removed.
      const { firstSequence } = await api.auditEvents.head({ signal });
      if (sequence < firstSequence) return null;
      const { items } = await api.auditEvents.page({ offset: sequence - firstSequence, limit: 1, signal });
      return items[0] ?? null;
    },
  });
