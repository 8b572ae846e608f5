import { type AccessAdminClient, filter } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** As many ids as fit into an address. */
const IDS_MAX = 40;
const AT_ONCE = 6;

/** The systems of entitlements, by their ids; those without one are left out. */
export const systemsQuery = (api: AccessAdminClient, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['access', 'systems', ids],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const parts = Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, at) =>
        ids.slice(at * IDS_MAX, (at + 1) * IDS_MAX),
      );
      const systems = new Map<string, string>();
      const readNext = async () => {
        for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
          const { items } = await api.entitlements.page({ filters: filter`id in ${part}`, signal });
          for (const { id, source } of items) if (source != null) systems.set(id, source);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, readNext));
      return systems;
    },
  });
