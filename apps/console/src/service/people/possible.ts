import { type AccessAdminClient, filter } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** The roles and access profiles that a person could be given without a violation: the first ones of each. */
export const possibleAccessQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['people', 'possible', id],
    queryFn: async ({ signal }) => {
      const question = { subject: { type: 'identity', id }, action: { name: 'request' } };
      const search = async (type: string, look: typeof api.roles | typeof api.accessProfiles) => {
        const ids: string[] = [];
        const options = { limit: POSSIBLE_MAX + 1, signal };
        for await (const found of api.authzen.searchResources({ ...question, resource: { type } }, options)) {
          ids.push(found.id);
          if (ids.length > POSSIBLE_MAX) break;
        }
        if (ids.length === 0) return { items: [], isAll: true };
        const filters = filter`id in ${ids.slice(0, POSSIBLE_MAX)}`;
        const { items } = await look.page({ filters, limit: POSSIBLE_MAX, signal });
        return { items, isAll: ids.length <= POSSIBLE_MAX };
      };
      const roles = await search('role', api.roles);
      const profiles = await search('access_profile', api.accessProfiles);
      return {
        items: [
          ...roles.items.map((item) => ({ type: 'ROLE', id: item.id, name: item.name }) as const),
          ...profiles.items.map((item) => ({ type: 'ACCESS_PROFILE', id: item.id, name: item.name }) as const),
        ],
        isAll: roles.isAll && profiles.isAll,
      };
    },
  });

/** Items of each type that a card has room for. */
const POSSIBLE_MAX = 25;
