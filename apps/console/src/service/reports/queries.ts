import type { AccessAdminClient, ListedSodReport, SodReport } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';
import { isUnderWay } from './list.ts';

/** The most that the service lists at once. It keeps fewer reports: 50 that have ended, and 20 that are under way. */
const LISTED_MAX = 250;
/** How soon the progress of a report is read again. */
const PROGRESS_AGAIN_MS = 1_000;
// Events tell of the end of a report, not of its start.
const LIST_AGAIN_MS = 10_000;

/** All reports, the newest first. */
export const reportsQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['reports', 'list'],
    queryFn: async ({ signal }): Promise<readonly ListedSodReport[]> =>
      (await api.sodReports.page({ limit: LISTED_MAX, signal })).items,
    refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) ? PROGRESS_AGAIN_MS : LIST_AGAIN_MS),
  });

/** One report with the counts of each policy. */
export const reportQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }): Promise<SodReport> => api.sodReports.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isUnderWay(data) && PROGRESS_AGAIN_MS,
  });
