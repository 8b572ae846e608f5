import type {
  AccessAdminClient,
  AccessHolder,
  AccessRef,
  CursorPage,
  LookUpPageOptions,
  ShownAccessProfile,
  ShownEntitlement,
  ShownRole,
  SodPolicy,
} from '@access-admin/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readByIds } from '../id-parts.ts';
import { nameOf } from '../name-of.ts';
import { policiesQuery } from '../policies.ts';
import { itemsOfChoice } from '../policy/items.ts';
import { type AccessSearch, filtersOfAccess } from './search.ts';

/** A role, an access profile or an entitlement with its content. */
export interface AccessRecord {
  readonly id: string;
  readonly name: string;
  /** The system of an entitlement, where it is known. */
  readonly source: string | null;
  readonly content: readonly { readonly type: AccessRef['type']; readonly id: string; readonly name: string }[];
  /** What an entitlement permits, in the words of its system. */
  readonly grants: ShownEntitlement['grants'];
}

const PAGE_SIZE = 100;
const FIRST_PAGE: { readonly cursor: string | null } = { cursor: null };

/** How many roles, access profiles or entitlements there are. */
export const accessCountQuery = (api: AccessAdminClient, search: AccessSearch) =>
  queryOptions({
    queryKey: ['access', 'count', search.type, filtersOfAccess(search)],
    queryFn: async ({ signal }) => (await readAccess(api, search, { limit: 1, count: true, signal })).total,
  });

/** Roles, access profiles or entitlements by name, page by page. */
export const accessListQuery = (api: AccessAdminClient, search: AccessSearch) =>
  infiniteQueryOptions({
    queryKey: ['access', 'list', search.type, filtersOfAccess(search)],
    initialPageParam: FIRST_PAGE.cursor,
    queryFn: ({ signal, pageParam: cursor }) =>
      readAccess(api, search, { sorters: 'name', limit: PAGE_SIZE, signal, ...(cursor !== null && { cursor }) }),
    getNextPageParam: ({ next }: CursorPage<AccessRecord>) => next,
  });

async function readAccess(
  api: AccessAdminClient,
  search: AccessSearch,
  page: LookUpPageOptions,
): Promise<CursorPage<AccessRecord>> {
  const { type } = search;
  const options = { ...page, filters: filtersOfAccess(search) };
  if (type === 'ENTITLEMENT') return itemsAs(itemOf, await api.entitlements.page(options));
  return itemsAs(bundleOf, await (type === 'ACCESS_PROFILE' ? api.accessProfiles : api.roles).page(options));
}

const itemsAs = <From, To>(of: (item: From) => To, page: CursorPage<From>): CursorPage<To> => ({
  ...page,
  items: page.items.map(of),
});

/** One record of the catalogue. */
export const accessRecordQuery = (api: AccessAdminClient, { type, id }: AccessRef) =>
  queryOptions({
    queryKey: ['access', 'one', type, id],
    queryFn: async ({ signal }): Promise<AccessRecord> => {
      if (type === 'ROLE') return bundleOf(await api.roles.get(id, { signal }));
      if (type === 'ACCESS_PROFILE') return bundleOf(await api.accessProfiles.get(id, { signal }));
      return itemOf(await api.entitlements.get(id, { signal }));
    },
  });

const itemOf = ({ id, name, source, grants }: ShownEntitlement): AccessRecord => {
  return { id, name, source, content: [], grants };
};

const bundleOf = (bundle: ShownAccessProfile & Partial<Pick<ShownRole, 'accessProfiles'>>): AccessRecord => {
  const { id, name, entitlements, accessProfiles = [] } = bundle;
  const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
    one.name.localeCompare(other.name);
  const content = [...accessProfiles.toSorted(byName), ...entitlements.toSorted(byName)];
  return { id, name, source: null, content, grants: [] };
};

/** The assignments by which people hold something, page by page; the first page has the number of all. */
export const holdersQuery = (api: AccessAdminClient, { type, id }: AccessRef) =>
  infiniteQueryOptions({
    queryKey: ['people', 'holders', type, id],
    initialPageParam: FIRST_PAGE.cursor,
    queryFn: ({ signal, pageParam: cursor }) =>
      lookUpOf(api, type).holdersPage(id, {
        limit: PAGE_SIZE,
        signal,
        ...(cursor === null ? { count: true } : { cursor }),
      }),
    getNextPageParam: ({ next }: CursorPage<AccessHolder>) => next,
  });

const lookUpOf = (api: AccessAdminClient, type: AccessRef['type']) =>
  type === 'ROLE' ? api.roles : type === 'ACCESS_PROFILE' ? api.accessProfiles : api.entitlements;

/** How many people a card has room for. */
const SHOWN_MAX = 25;

/** The first people to whom something could be given without a violation. */
export const possibleHoldersQuery = (api: AccessAdminClient, { type, id }: AccessRef) =>
  queryOptions({
    queryKey: ['people', 'possible holders', type, id],
    queryFn: async ({ signal }) => {
      const question = {
        subject: { type: 'identity' },
        action: { name: 'request' },
        resource: { type: RESOURCE_TYPES[type], id },
      };
      const ids: string[] = [];
      for await (const found of api.authzen.searchSubjects(question, { limit: SHOWN_MAX + 1, signal })) {
        ids.push(found.id);
        if (ids.length > SHOWN_MAX) break;
      }
      const shown = ids.slice(0, SHOWN_MAX);
      const people = await readByIds(shown, (filters) => api.identities.list({ filters, signal }));
      return {
        people: shown.map((personId) => ({ id: personId, name: nameOf(personId, people.get(personId)?.displayName) })),
        isAll: ids.length <= SHOWN_MAX,
      };
    },
  });

/** The names of types in the AuthZEN API. */
const RESOURCE_TYPES = { ROLE: 'role', ACCESS_PROFILE: 'access_profile', ENTITLEMENT: 'entitlement' } as const;

/** A policy that names something, or an entitlement in it. */
export interface NamingPolicy extends Pick<SodPolicy, 'id' | 'name' | 'level' | 'state'> {
  /** The entitlements that the policy names, side by side; sides that name none are left out. */
  readonly sides: readonly (readonly string[])[];
}

/** The policies that name an entitlement, or one of those that a role or an access profile gives. */
export const namingPoliciesQuery = (api: AccessAdminClient, { type, id }: AccessRef, name: string) =>
  queryOptions({
    queryKey: ['policies', 'naming', type, id],
    queryFn: async ({ client }): Promise<readonly NamingPolicy[]> => {
      const items = await itemsOfChoice(api, { type, id, name, detail: null });
      const policies = await client.ensureQueryData({ ...policiesQuery(api), revalidateIfStale: true });
      return findNaming(policies, new Set(items.map((item) => item.id)));
    },
  });

/** The policies that name one of some entitlements, by name. */
export const findNaming = (policies: readonly SodPolicy[], ids: ReadonlySet<string>): readonly NamingPolicy[] =>
  policies
    .map(({ id, name, level, state, conflictingAccessCriteria: rule }) => {
      const sides = 'criteria' in rule ? rule.criteria : [rule.leftCriteria, rule.rightCriteria];
      const named = sides.map(({ criteriaList }) =>
        criteriaList.filter((item) => ids.has(item.id)).map((item) => item.name ?? item.id),
      );
      return { id, name, level, state, sides: named.filter((names) => names.length > 0) };
    })
    .filter(({ sides }) => sides.length > 0)
    .toSorted((one, other) => one.name.localeCompare(other.name));
