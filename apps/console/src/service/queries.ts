import { type AccessAdminClient, filter, type ViolationPage } from '@access-admin/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { partsOfIds } from './id-parts.ts';
import { filtersOf, type ViolationSearch } from './violation-search.ts';
import { requestOf, type WhatIfSearch } from './what-if-search.ts';

const PAGE_SIZE = 100;

/** What reads a page of the violations of a search. */
const pageOf = ({ violations: { page, pageMine } }: AccessAdminClient, { mine }: ViolationSearch) =>
  mine === true ? pageMine : page;

/** Where the first page begins. */
const FIRST_PAGE: { readonly cursor: string | null } = { cursor: null };

/** The violations of a search, page by page; the first page has the number of all. */
export const violationsQuery = (api: AccessAdminClient, search: ViolationSearch) => {
  const filters = filtersOf(search);
  const sorters = search.sort;
  return infiniteQueryOptions({
    queryKey: ['violations', 'list', filters ?? '', sorters ?? '', search.mine ?? false],
    initialPageParam: FIRST_PAGE.cursor,
    queryFn: ({ signal, pageParam: cursor }) =>
      pageOf(
        api,
        search,
      )({
        filters,
        sorters,
        limit: PAGE_SIZE,
        signal,
        ...(cursor === null ? { count: true } : { cursor }),
      }),
    getNextPageParam: ({ next }: ViolationPage) => next,
  });
};

/** How many violations a search has, or a lower bound of that. */
export interface ViolationCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** The count that a page of violations has; null for a page that was read without one. */
export const countOf = ({ total, totalIs }: Pick<ViolationPage, 'total' | 'totalIs'>): ViolationCount | null =>
  total === null ? null : { count: total, isExact: totalIs !== 'at-least' };

/** The number of the violations of a search. */
export const violationCountQuery = (api: AccessAdminClient, search: ViolationSearch) => {
  const filters = filtersOf(search);
  return queryOptions({
    queryKey: ['violations', 'count', filters ?? '', search.mine ?? false],
    queryFn: async ({ signal }) => countOf(await pageOf(api, search)({ filters, limit: 1, count: true, signal })),
  });
};

/** The number of open violations of some policies together. */
export const openCountQuery = (api: AccessAdminClient, policyIds: readonly string[]) =>
  queryOptions({
    queryKey: ['violations', 'open-of', policyIds],
    queryFn: async ({ signal }) => {
      const pages = partsOfIds(policyIds).map((ids) => {
        const filters = filter`status eq ${'Open'} and policyId in ${ids}`;
        return api.violations.page({ filters, limit: 1, count: true, signal });
      });
      return (await Promise.all(pages)).reduce((sum, { total }) => sum + (total ?? 0), 0);
    },
  });

/** The violations that the access of a question would cause. */
export const predictionQuery = (api: AccessAdminClient, search: WhatIfSearch) => {
  const request = requestOf(search);
  return queryOptions({
    queryKey: ['policies', 'prediction', request],
    enabled: request.identityId !== '' && request.accessRefs.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.sodViolations.predict(request, { include: ['via', 'remediation', 'pending'], signal }),
  });
};

/** One violation. */
export const violationQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({ queryKey: ['violations', 'one', id], queryFn: ({ signal }) => api.violations.get(id, { signal }) });
