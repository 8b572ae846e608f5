import type { AccessAdminClient } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** All controls, by name. */
export const controlsQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['controls'],
    queryFn: async ({ signal }) =>
      (await Array.fromAsync(api.controls.list({ signal }))).toSorted((one, other) =>
        one.name.localeCompare(other.name),
      ),
  });
