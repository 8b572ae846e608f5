import { type AccessAdminClient, type Account, filter, type ListedIdentity } from '@access-admin/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readByIds } from '../id-parts.ts';
import { filtersOfAccounts, type SourceSearch } from './search.ts';

const PAGE_SIZE = 100;

/** The concerns of what pages show that a change of a source, or of the identity of an account, can touch. */
export const TOUCHED_BY_ACCOUNTS = ['sources', 'accounts', 'people', 'access', 'violations', 'exceptions'] as const;

/** All sources, by name. */
export const sourcesQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['sources', 'all'],
    queryFn: async ({ signal }) =>
      (await Array.fromAsync(api.sources.list({ signal }))).toSorted((one, other) =>
        one.name.localeCompare(other.name),
      ),
  });

/** A source with its version. */
export const sourceQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['sources', 'one', id],
    queryFn: ({ signal }) => api.sources.get(id, { signal }).withETag(),
  });

/** How many accounts a source has, and how many of them wait for somebody. */
export interface AccountCounts {
  readonly all: number;
  readonly none: number;
  readonly ambiguous: number;
}

/** The counts of the accounts of a source. */
export const accountCountsQuery = (api: AccessAdminClient, source: string) =>
  queryOptions({
    queryKey: ['accounts', 'counts', source],
    queryFn: async ({ signal }): Promise<AccountCounts> => {
      const count = async (search: SourceSearch) => {
        const filters = filtersOfAccounts(source, search);
        return (await api.accounts.page({ filters, limit: 1, count: true, signal })).total ?? 0;
      };
      const [all, none, ambiguous] = await Promise.all([
        count({}),
        count({ link: 'NONE' }),
        count({ link: 'AMBIGUOUS' }),
      ]);
      return { all, none, ambiguous };
    },
  });

/** An account in a list, with the identity that it belongs to; null for none, and for one that is gone. */
export type AccountOfPerson = Account & { readonly person: ListedIdentity | null };

/** The accounts of a search of a source, page by page. */
export const accountsQuery = (api: AccessAdminClient, source: string, search: SourceSearch) => {
  const filters = filtersOfAccounts(source, search);
  return infiniteQueryOptions({
    queryKey: ['accounts', 'list', filters],
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam: offset }) => {
      const page = await api.accounts.page({ filters, limit: PAGE_SIZE, offset, count: offset === 0, signal });
      const people = await readPeople(
        api,
        page.items.flatMap(({ identityId }) => identityId ?? []),
        signal,
      );
      const items = page.items.map(
        (account): AccountOfPerson => ({ ...account, person: people.get(account.identityId ?? '') ?? null }),
      );
      return { ...page, items, end: offset + items.length };
    },
    getNextPageParam: ({ more, items, end }) => (more && items.length > 0 ? end : undefined),
  });
};

/** An account with its version. */
export const accountQuery = (api: AccessAdminClient, key: string) =>
  queryOptions({
    queryKey: ['accounts', 'one', key],
    queryFn: ({ signal }) => api.accounts.get(key, { signal }).withETag(),
  });

/** The accounts of a person. */
export const accountsOfQuery = (api: AccessAdminClient, identityId: string) =>
  queryOptions({
    queryKey: ['accounts', 'of', identityId],
    queryFn: ({ signal }) =>
      Array.fromAsync(api.accounts.list({ filters: filter`identityId eq ${identityId}`, signal })),
  });

/** Identities by their ids. */
export const identitiesQuery = (api: AccessAdminClient, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['people', 'by id', ids],
    enabled: ids.length > 0,
    queryFn: ({ signal }) => readPeople(api, ids, signal),
  });

const readPeople = (api: AccessAdminClient, ids: readonly string[], signal: AbortSignal) =>
  readByIds(ids, (filters) => api.identities.list({ filters, signal }));

/** The names of what an account grants, by type and id, as `nameKey` writes them. */
export const accessNamesQuery = (api: AccessAdminClient, access: Account['access']) =>
  queryOptions({
    queryKey: ['access', 'names', access.map(nameKey)],
    enabled: access.length > 0,
    queryFn: async ({ signal }) => {
      const idsOf = (type: Account['access'][number]['type']) =>
        access.flatMap((ref) => (ref.type === type ? ref.id : []));
      const found = await Promise.all([
        readByIds(idsOf('ROLE'), (filters) => api.roles.list({ filters, signal })),
        readByIds(idsOf('ACCESS_PROFILE'), (filters) => api.accessProfiles.list({ filters, signal })),
        readByIds(idsOf('ENTITLEMENT'), (filters) => api.entitlements.list({ filters, signal })),
      ]);
      const types = ['ROLE', 'ACCESS_PROFILE', 'ENTITLEMENT'] as const;
      return new Map(
        types.flatMap((type, at) =>
          [...(found[at] ?? new Map<string, { readonly name: string }>())].map(
            ([id, { name }]) => [nameKey({ type, id }), name] as const,
          ),
        ),
      );
    },
  });

/** Names a record of access of any type. */
export const nameKey = ({ type, id }: Pick<Account['access'][number], 'type' | 'id'>): string => `${type} ${id}`;
