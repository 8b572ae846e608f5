import type { AccessAdminClient, ViolationSummary } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** The days of the trend on the overview. */
export const TREND_DAYS = 90;

/** The counts of the register. */
export const summaryQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['violations', 'summary'],
    queryFn: ({ signal }) => api.violations.summary({ days: TREND_DAYS, signal }),
  });

// The service names at most so many policies, those with most open violations.
export const COUNTED_POLICIES_MAX = 1000;

/** The open violations of a policy that the counts do not name; undefined where there are too many policies to say. */
export const openWithout = ({ byPolicy }: Pick<ViolationSummary, 'byPolicy'>): number | undefined =>
  byPolicy.length < COUNTED_POLICIES_MAX ? 0 : undefined;
