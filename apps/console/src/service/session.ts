import type { AccessAdminClient } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** The session of this browser. */
export const sessionQuery = (api: AccessAdminClient) =>
  queryOptions({ queryKey: ['session'], queryFn: ({ signal }) => api.sessions.current({ signal }) });
