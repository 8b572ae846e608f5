import {
  type AccessAdminClient,
  type CursorPage,
  filter,
  type ListedIdentity,
  type ShownIdentity,
} from '@access-admin/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readAccessTree } from './access-tree.ts';
import { PRESENT, readConflicts } from './conflicts.ts';
import { filtersOfPeople, type PeopleSearch } from './search.ts';

const PAGE_SIZE = 100;

/** How many violations the page of a person shows. */
export const SHOWN_OF_PERSON = 10;

/** A page of the list of people: of which of its filters, and from where on. */
interface PeoplePage {
  readonly of: number;
  readonly cursor: string | null;
}

const FIRST_PAGE: PeoplePage = { of: 0, cursor: null };

/** People by name, page by page: those of the first filter of a search, then those of the next ones. */
export const peopleListQuery = (api: AccessAdminClient, search: PeopleSearch) => {
  const filters = filtersOfPeople(search);
  return infiniteQueryOptions({
    queryKey: ['people', 'list', filters[0] ?? ''],
    placeholderData: keepPreviousData,
    initialPageParam: FIRST_PAGE,
    queryFn: ({ signal, pageParam: { of, cursor } }) =>
      api.identities.page({
        filters: filters[of],
        sorters: 'displayName',
        limit: PAGE_SIZE,
        signal,
        ...(cursor === null ? { count: filters.length === 1 } : { cursor }),
      }),
    getNextPageParam: ({ next }: CursorPage<ListedIdentity>, _, { of }): PeoplePage | undefined => {
      if (next !== null) return { of, cursor: next };
      return of + 1 < filters.length ? { of: of + 1, cursor: null } : undefined;
    },
  });
};

/** The people of all pages, each once: a name and a username can both contain the text. */
export const peopleOf = (pages: readonly CursorPage<ListedIdentity>[]): readonly ListedIdentity[] => [
  ...new Map(pages.flatMap(({ items }) => items.map((item) => [item.id, item] as const))).values(),
];

/** One person, with the assignments. */
export const personQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({ queryKey: ['people', 'one', id], queryFn: ({ signal }) => api.identities.get(id, { signal }) });

/** What a person holds, as a tree. */
export const accessTreeQuery = (api: AccessAdminClient, { id, assignments }: ShownIdentity) =>
  queryOptions({
    queryKey: ['access', 'tree', id, assignments],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readAccessTree(api, assignments, signal),
  });

/** The present violations of a person, the most severe first, or those that have ended. */
export const violationsOfQuery = (api: AccessAdminClient, id: string, isPresent: boolean) => {
  const statuses = isPresent ? PRESENT : ['Remediated', 'Closed'];
  const filters = filter`targetId eq ${id} and status in ${statuses}`;
  return queryOptions({
    queryKey: ['violations', 'of', filters],
    queryFn: ({ signal }) =>
      api.violations.page({
        filters,
        sorters: isPresent ? '-level' : '-modified',
        signal,
        limit: SHOWN_OF_PERSON,
        count: true,
      }),
  });
};

/** The entitlements of a person that are a part of a present violation. */
export const conflictsOfQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['violations', 'conflicts of', id],
    queryFn: ({ signal }) => readConflicts(api, id, signal),
  });

/** The exceptions of a person. */
export const exceptionsOfQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['exceptions', 'of', id],
    queryFn: ({ signal }) => Array.fromAsync(api.sodExceptions.list({ filters: filter`identityId eq ${id}`, signal })),
  });

/** The access that waits for an approval of a person, the oldest first. */
export const reservationsOfQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['people', 'reservations', id],
    queryFn: ({ signal }) => {
      const filters = filter`identityId eq ${id} and state eq ${'LIVE'}`;
      return Array.fromAsync(api.sodReservations.list({ filters, sorters: 'created', signal }));
    },
  });

/** What the service knows of a person for signing in, with its version. */
export const authUserQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['people', 'auth-user', id],
    queryFn: ({ signal }) => api.authUsers.get(id, { signal }).withETag(),
  });

/** How the people of an identity profile sign in. */
export const authProfileOfQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['people', 'auth-profile', id],
    queryFn: ({ signal }) => api.authProfiles.get(id, { signal }),
  });

/** What a person signs in with, and whether the person is locked. */
export const credentialsQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['people', 'credentials', id],
    queryFn: ({ signal }) => api.authUsers.credentials(id, { signal }),
  });

/** Where a person is signed in, the latest first. */
export const sessionsOfQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['people', 'sessions', id],
    queryFn: async ({ signal }) => {
      const sessions = await Array.fromAsync(api.sessions.list({ filters: filter`identityId eq ${id}`, signal }));
      return sessions.toSorted((one, other) => other.authTime.localeCompare(one.authTime));
    },
  });

/** The name of a policy; its id once it is deleted. */
export const policyNameQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['policies', 'name', id],
    queryFn: async ({ signal }) => (await api.sodPolicies.get(id, { signal })).name,
  });
