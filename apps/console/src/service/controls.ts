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

/** A control with its version. */
export const controlQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['controls', id],
    queryFn: ({ signal }) => api.controls.get(id, { signal }).withETag(),
  });
