import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { filterHere, groupFindings, isFilteredHere } from '../service/policy/list.ts';
import { lintQuery, policyListQuery } from '../service/policy/queries.ts';
import type { PolicySearch } from '../service/policy/search.ts';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { openWithout, summaryQuery } from '../service/summary.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { LongTable } from '../ui/tables/long-table.tsx';
import { PolicyFilters } from './filters.tsx';
import { Cells, NARROW } from './rows.tsx';
import { POLICIES_TEXTS } from './texts.ts';

/** All policies, filtered and sorted by the address. */
export function PoliciesPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(POLICIES_TEXTS);
  const search = useSearch({ from: '/policies' });
  const { list, failed, findings, shown, total } = usePolicies(search);
  const open = useOpenCounts();
  const isEmpty = total === 0 && !isSought(search);
  // The column would be empty.
  const hasFindings = findings.size > 0;
  const heads = (['name', 'state', 'level', 'form', 'owner', 'open', 'findings'] as const)
    .filter((head) => head !== 'findings' || hasFindings)
    .map((head) => ({ label: pageText(head), isNumber: head === 'open', narrow: NARROW[head] }));
  return (
    <>
      <Heading title={text('nav.policies')} ways={!isEmpty && <NewPolicy />}>
        <p role="status">
          {total === null ? failed === undefined && text('state.loading') : pageText('count', { count: total })}
        </p>
      </Heading>
      {!isEmpty && <PolicyFilters search={search} />}
      {failed !== undefined && <Failure error={failed.error} onRetry={failed.refetch} />}
      {total === 0 && <NoPolicy search={search} />}
      {shown.length > 0 && (
        <LongTable
          label={text('nav.policies')}
          heads={heads}
          hasLongTitles
          items={shown}
          total={total}
          hasMore={list.hasNextPage}
          onEnd={() => {
            if (list.hasNextPage && !list.isFetchingNextPage && !list.isError) list.fetchNextPage();
          }}
        >
          {(policy) => (
            <Cells
              policy={policy}
              open={open(policy.id)}
              findings={hasFindings ? (findings.get(policy.id) ?? []) : null}
            />
          )}
        </LongTable>
      )}
    </>
  );
}

/** Leads a session that may create policies to a new one. */
function NewPolicy() {
  const pageText = usePageTexts(POLICIES_TEXTS);
  const session = useQuery(sessionQuery(useApi()));
  return (
    session.data !== undefined &&
    missingRight('change', session.data) === null && (
      <Link to="/policies/new" className="button main">
        {pageText('new')}
      </Link>
    )
  );
}

/** The policies of a search. Where only the page itself can filter, all pages are read. */
function usePolicies(search: PolicySearch) {
  const api = useApi();
  const list = useInfiniteQuery(policyListQuery(api, search));
  const lint = useQuery(lintQuery(api));
  const findings = useMemo(() => groupFindings(lint.data ?? []), [lint.data]);
  const { pages } = list.data ?? {};
  const shown = useMemo(
    () => filterHere(pages?.flatMap(({ items }) => items) ?? [], search, findings),
    [pages, search, findings],
  );
  const isHere = isFilteredHere(search);
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  useEffect(() => {
    if (isHere && hasNextPage && !isFetching && !isError) fetchNextPage();
  }, [isHere, hasNextPage, isFetching, isError, fetchNextPage]);
  const isWhole = pages !== undefined && !hasNextPage && (search.finding === undefined || lint.isSuccess);
  const total = isHere ? (isWhole ? shown.length : null) : (pages?.[0]?.total ?? null);
  return { list, failed: [list, lint].find(({ isError }) => isError), findings, shown, total };
}

/** Whether a search leaves policies out. */
const isSought = ({ sort: _, ...filters }: PolicySearch): boolean => Object.keys(filters).length > 0;

/** Says that no policy is shown: none exists, or none meets the filters. */
function NoPolicy({ search }: { readonly search: PolicySearch }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(POLICIES_TEXTS);
  const navigate = useNavigate({ from: '/policies' });
  if (!isSought(search))
    return (
      <Empty title={pageText('empty')}>
        <p>{pageText('empty.text')}</p>
        <NewPolicy />
      </Empty>
    );
  return (
    <Empty title={pageText('none')}>
      <button type="button" className="button" onClick={() => navigate({ search: {} })}>
        {text('violations.clear')}
      </button>
    </Empty>
  );
}

/** Finds the number of open violations of a policy. */
function useOpenCounts(): (policyId: string) => number | undefined {
  const { data } = useQuery(summaryQuery(useApi()));
  const counts = useMemo(() => new Map(data?.byPolicy.map(({ policy, open }) => [policy.id, open])), [data]);
  return (policyId) => counts.get(policyId) ?? (data && openWithout(data));
}
