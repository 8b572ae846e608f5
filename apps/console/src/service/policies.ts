import type { AccessAdminClient } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** All policies. */
export const policiesQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['policies', 'all'],
    queryFn: ({ signal }) => Array.fromAsync(api.sodPolicies.list({ signal })),
  });
