import type { ViolationPage } from '@access-admin/client';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { usePageTexts } from '../languages/context.tsx';
import type { Grouping, ViolationSearch } from '../service/violation-search.ts';
import { GroupedRows } from './grouped-rows.tsx';
import styles from './rows.module.css';
import { VIOLATIONS_TEXTS } from './texts.ts';
import { useGroups } from './use-groups.ts';

export interface GroupedProps {
  readonly search: ViolationSearch;
  readonly by: Grouping;
  /** The violations of the search as a list. */
  readonly list: UseInfiniteQueryResult<InfiniteData<ViolationPage>>;
  readonly onShow: (id: string) => void;
}

/** The violations of a search in groups. The number of groups is said only where it is known. */
export function Grouped({ search, by, list, onShow }: GroupedProps) {
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const { groups, isWhole, readCount, readMore, lookFurther } = useGroups(search, by, list);
  const unowned = list.data?.pages.flatMap(({ items }) => items.filter(({ owner }) => owner === undefined)) ?? [];
  return (
    <>
      <div className={styles['found']}>
        <p role="status">{pageText(isWhole ? 'groups' : 'groups.found', { count: groups.length })}</p>
        {lookFurther !== null && (
          <>
            <p>{pageText('groups.barren', { count: readCount })}</p>
            <button type="button" className="button" onClick={lookFurther}>
              {pageText('groups.further')}
            </button>
          </>
        )}
      </div>
      <GroupedRows {...{ search, by, groups, unowned, onShow }} onEnd={readMore} />
    </>
  );
}
