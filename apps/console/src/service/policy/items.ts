import { type AccessAdminClient, filter } from '@access-admin/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Choice, nameFilter, OFFERED } from '../look-ups.ts';
import type { DraftItem } from './draft.ts';

/** Entitlements, then access profiles and roles whose entitlements can be added at once. */
export const itemsQuery = (api: AccessAdminClient, typed: string) =>
  queryOptions({
    queryKey: ['access', 'offered for policies', typed],
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<readonly Choice[]> => {
      const filters = nameFilter(typed, { long: filter`name co ${typed}`, short: filter`name sw ${typed}` });
      const options = { filters, limit: OFFERED, signal };
      const [entitlements, profiles, roles] = await Promise.all([
        api.entitlements.page(options),
        api.accessProfiles.page(options),
        api.roles.page(options),
      ]);
      return [
        ...entitlements.items.map(({ id, name, source }) => ({
          type: 'ENTITLEMENT' as const,
          id,
          name,
          detail: source ?? null,
        })),
        ...profiles.items.map(({ id, name }) => ({ type: 'ACCESS_PROFILE' as const, id, name, detail: null })),
        ...roles.items.map(({ id, name }) => ({ type: 'ROLE' as const, id, name, detail: null })),
      ];
    },
  });

type Reads = Pick<AccessAdminClient, 'roles' | 'accessProfiles'>;

/** The entitlements that a choice stands for: policies name entitlements alone. */
export async function itemsOfChoice(api: Reads, { type, id, name }: Choice): Promise<readonly DraftItem[]> {
  if (type === 'ACCESS_PROFILE') return (await api.accessProfiles.get(id)).entitlements.map(itemOf);
  if (type !== 'ROLE') return [itemOf({ id, name })];
  const { entitlements, accessProfiles } = await api.roles.get(id);
  const contents = await Promise.all(accessProfiles.map((profile) => api.accessProfiles.get(profile.id)));
  return [...entitlements, ...contents.flatMap((profile) => profile.entitlements)].map(itemOf);
}

const itemOf = ({ id, name }: { readonly id: string; readonly name: string }): DraftItem => ({
  id,
  name,
  isDeleted: false,
});
