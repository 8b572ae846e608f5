import { type AccessAdminClient, filter } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';
import { partsOfIds } from './id-parts.ts';

const AT_ONCE = 6;

/** The systems of entitlements, by their ids; those without one are left out. */
export const systemsQuery = (api: AccessAdminClient, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['access', 'systems', ids],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const parts = [...partsOfIds(ids)];
      const systems = new Map<string, string>();
      const readNext = async () => {
        for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
          const { items } = await api.entitlements.page({ filters: filter`id in ${part}`, limit: part.length, signal });
          for (const { id, source } of items) if (source != null) systems.set(id, source);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, readNext));
      return systems;
    },
  });
