import { type AccessAdminClient, filter } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** The roles and access profiles that a person could be given without a violation: the first ones of each. */
export const possibleAccessQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['people', 'possible', id],
    queryFn: async ({ signal }) => {
      const question = { subject: { type: 'identity', id }, action: { name: 'request' } };
      const search = (type: string) =>
        api.authzen.pageResources({ ...question, resource: { type } }, { limit: POSSIBLE_MAX, signal });
      const [roles, profiles] = await Promise.all([search('role'), search('access_profile')]);
      const namesOf = async (found: typeof roles, look: typeof api.roles | typeof api.accessProfiles) => {
        const ids = found.results.map((each) => each.id);
        if (ids.length === 0) return [];
        return (await look.page({ filters: filter`id in ${ids}`, limit: POSSIBLE_MAX, signal })).items;
      };
      const named = await Promise.all([namesOf(roles, api.roles), namesOf(profiles, api.accessProfiles)]);
      const [ofRoles = [], ofProfiles = []] = named;
      return {
        items: [
          ...ofRoles.map(({ id: each, name }) => ({ type: 'ROLE', id: each, name }) as const),
          ...ofProfiles.map(({ id: each, name }) => ({ type: 'ACCESS_PROFILE', id: each, name }) as const),
        ],
        isAll: [roles, profiles].every(({ page }) => page.next_token === ''),
      };
    },
  });

/** Items of each type that a card has room for. */
const POSSIBLE_MAX = 25;
