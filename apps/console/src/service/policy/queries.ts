import type { AccessAdminClient, Page, SodPolicy } from '@access-admin/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { PolicyVersion } from './edit.ts';
import { policyFiltersOf } from './list.ts';
import type { PolicySearch } from './search.ts';

/** The policies of a search as far as the service filters, page by page; the first page has the number of all. */
export const policyListQuery = (api: AccessAdminClient, search: PolicySearch) => {
  const filters = policyFiltersOf(search);
  const sorters = search.sort ?? 'name';
  return infiniteQueryOptions({
    queryKey: ['policies', 'list', filters ?? '', sorters],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) =>
      api.sodPolicies.page({ filters, sorters, offset, count: offset === 0, signal }),
    getNextPageParam: ({ more }: Page<SodPolicy>, pages) =>
      more ? pages.reduce((count, { items }) => count + items.length, 0) : null,
  });
};

/** A policy with its version. */
export const policyQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['policies', 'one', id],
    queryFn: async ({ signal }): Promise<PolicyVersion> => {
      const { value: policy, etag } = await api.sodPolicies.get(id, { signal }).withETag();
      return { policy, etag };
    },
  });

/** The findings of lint on all policies. */
export const lintQuery = (api: AccessAdminClient) =>
  queryOptions({ queryKey: ['policies', 'lint'], queryFn: ({ signal }) => api.sodPolicies.lint({ signal }) });
