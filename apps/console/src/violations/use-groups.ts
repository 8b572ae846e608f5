import type { ViolationPage } from '@access-admin/client';
import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApi } from '../service/api.tsx';
import { summaryQuery } from '../service/summary.ts';
import { addGroups, isCounted, knownGroups, type ViolationGroup } from '../service/violation-groups.ts';
import type { Grouping, ViolationSearch } from '../service/violation-search.ts';

/** How many pages are read in a row without a new group before the person is asked. */
const BARREN_PAGES_MAX = 10;

/** The groups of a search, as far as they are found. */
export interface Groups {
  readonly groups: readonly ViolationGroup[];
  /** Whether there are no others. */
  readonly isWhole: boolean;
  /** How many violations were read to find them. */
  readonly readCount: number;
  /** Reads on, as long as groups are found. */
  readonly readMore: () => void;
  /** Reads on although no group was found for long; null where that is not so. */
  readonly lookFurther: (() => void) | null;
}

/** Finds the groups of a search: those that the counts of the register name, then those of the violations that are read. */
export function useGroups(
  search: ViolationSearch,
  by: Grouping,
  list: UseInfiniteQueryResult<InfiniteData<ViolationPage>>,
): Groups {
  const summary = useQuery({ ...summaryQuery(useApi()), enabled: isCounted(search, by) });
  const [patience, setPatience] = useState(BARREN_PAGES_MAX);
  const pages = list.data?.pages;
  const { groups, isWhole, barren } = useMemo(() => {
    const known = knownGroups(search, by, summary.data);
    let found = known.groups;
    let barrenPages = 0;
    // The violations that are read add nothing to groups that are whole.
    for (const { items } of known.isWhole ? [] : (pages ?? [])) {
      const next = addGroups(found, items, by);
      barrenPages = next.length === found.length ? barrenPages + 1 : 0;
      found = next;
    }
    return { groups: found, isWhole: known.isWhole, barren: barrenPages };
  }, [search, by, summary.data, pages]);
  const canRead = !isWhole && list.hasNextPage && !list.isFetching && !list.isError;
  return {
    groups,
    isWhole: isWhole || (pages !== undefined && !list.hasNextPage),
    readCount: pages?.reduce((sum, { items }) => sum + items.length, 0) ?? 0,
    readMore: () => canRead && barren < patience && list.fetchNextPage(),
    lookFurther: canRead && barren >= patience ? () => setPatience(barren + BARREN_PAGES_MAX) : null,
  };
}
