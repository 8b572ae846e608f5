import { type AccessAdminClient, type AccessRef, filter } from '@access-admin/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { nameOf } from './name-of.ts';
import { policiesQuery } from './policies.ts';
import { foldName } from './search-parts.ts';
import { hasSearchLength } from './violation-search.ts';

/** Something that a field offers. */
export interface Offered<Type extends string = string> {
  readonly type: Type;
  readonly id: string;
  readonly name: string;
  /** What tells it from another one of the same name. */
  readonly detail: string | null;
}

/** A person, or access. */
export type Choice = Offered<'IDENTITY' | AccessRef['type']>;

/** How many records of each kind a field offers. */
export const OFFERED = 8;

/** People whose name, user name, mail address or id contains a text. */
export const peopleQuery = (api: AccessAdminClient, typed: string) =>
  queryOptions({
    queryKey: ['people', 'offered', typed],
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<readonly Choice[]> => {
      const filters = nameFilter(typed, {
        long: filter`any co ${typed}`,
        short: filter`displayName sw ${typed}`,
      });
      const { items } = await api.identities.page({ filters, limit: OFFERED, signal });
      return items.map(({ id, displayName, uid }) => ({
        type: 'IDENTITY',
        id,
        name: nameOf(id, displayName),
        detail: uid,
      }));
    },
  });

/** Roles, access profiles and entitlements whose name contains a text, in this order. */
export const accessQuery = (api: AccessAdminClient, typed: string) =>
  queryOptions({
    queryKey: ['access', 'offered', typed],
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<readonly Choice[]> => {
      const filters = nameFilter(typed, { long: filter`name co ${typed}`, short: filter`name sw ${typed}` });
      const options = { filters, limit: OFFERED, signal };
      const [roles, profiles, entitlements] = await Promise.all([
        api.roles.page(options),
        api.accessProfiles.page(options),
        api.entitlements.page(options),
      ]);
      return [
        ...roles.items.map(({ id, name }) => ({ type: 'ROLE' as const, id, name, detail: null })),
        ...profiles.items.map(({ id, name }) => ({ type: 'ACCESS_PROFILE' as const, id, name, detail: null })),
        ...entitlements.items.map(({ id, name, source }) => ({
          type: 'ENTITLEMENT' as const,
          id,
          name,
          detail: source ?? null,
        })),
      ];
    },
  });

/** Policies whose name contains a text. */
export const policyChoicesQuery = (api: AccessAdminClient, typed: string) =>
  queryOptions({
    queryKey: ['policies', 'offered', typed],
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    // The service compares the names of policies by case, so all of them are sought here.
    queryFn: async ({ client }): Promise<readonly Offered<'SOD_POLICY'>[]> => {
      const policies = await client.ensureQueryData({ ...policiesQuery(api), revalidateIfStale: true });
      const sought = foldName(typed);
      const found = policies.filter(({ name }) => foldName(name).includes(sought));
      const byName = found.toSorted((one, other) => one.name.localeCompare(other.name)).slice(0, OFFERED);
      return byName.map(({ id, name }) => ({ type: 'SOD_POLICY', id, name, detail: id }));
    },
  });

/** The name of something whose id is known. */
export const nameQuery = (api: AccessAdminClient, { type, id }: Pick<Choice, 'type' | 'id'>) =>
  queryOptions({
    queryKey: [type === 'IDENTITY' ? 'people' : 'access', 'name', type, id],
    queryFn: async ({ signal }): Promise<string> => {
      const options = { signal };
      if (type === 'IDENTITY') return nameOf(id, (await api.identities.get(id, options)).displayName);
      if (type === 'ROLE') return (await api.roles.get(id, options)).name;
      if (type === 'ACCESS_PROFILE') return (await api.accessProfiles.get(id, options)).name;
      return (await api.entitlements.get(id, options)).name;
    },
  });

/** The name of a policy whose id is known. */
export const policyNameQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['policies', 'name', id],
    queryFn: async ({ signal }): Promise<string> => (await api.sodPolicies.get(id, { signal })).name,
  });

/** The service searches inside of names for three characters or more. */
export const nameFilter = (typed: string, filters: { readonly long: string; readonly short: string }): string =>
  hasSearchLength(typed) ? filters.long : filters.short;
