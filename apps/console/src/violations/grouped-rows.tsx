import type { SodViolation } from '@access-admin/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { violationCountQuery, violationsQuery } from '../service/queries.ts';
import { searchOfGroup, type ViolationGroup } from '../service/violation-groups.ts';
import { type Grouping, LEVELS, type ViolationSearch } from '../service/violation-search.ts';
import { Failure } from '../ui/failure.tsx';
import { TableFrame, useRowWindow } from '../ui/tables/frame.tsx';
import { Count } from './count.tsx';
import styles from './rows.module.css';
import { Cells, useHeads } from './rows.tsx';
import { VIOLATIONS_TEXTS } from './texts.ts';

export interface GroupedRowsProps {
  /** What is sought, whichever the group. */
  readonly search: ViolationSearch;
  readonly by: Grouping;
  readonly groups: readonly ViolationGroup[];
  /** The violations without an owner that are read so far: no filter finds them. */
  readonly unowned: readonly SodViolation[];
  readonly onShow: (id: string) => void;
  /** Called when the last group comes into view. */
  readonly onEnd: () => void;
}

/** Violations in groups, one of which is open at a time. */
export function GroupedRows({ search, by, groups, unowned, onShow, onEnd }: GroupedRowsProps) {
  const { text } = useSpeech();
  const [opened, setOpened] = useState<string | null | undefined>(undefined);
  const place = opened === undefined ? -1 : groups.findIndex(({ key }) => key === opened);
  const { items, isReading, failure, readMore } = useOpened({ search, by, key: groups[place]?.key, unowned });
  const heads = useHeads(search);
  const shown = place < 0 ? 0 : items.length + (isReading ? 1 : 0);
  const groupAt = (at: number) => (at <= place ? at : at - shown);
  const isGroup = (at: number) => place < 0 || at <= place || at > place + shown;
  const window = useRowWindow(groups.length + shown, {
    keyOf: (at) => (isGroup(at) ? `group ${groups[groupAt(at)]?.key}` : (items[at - place - 1]?.id ?? 'reading')),
  });
  const last = window.rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= groups.length + shown - 1) onEnd();
    if (place >= 0 && last >= place + shown) readMore();
  });
  const rowAt = (at: number): ReactNode => {
    const group = groups[groupAt(at)];
    if (!isGroup(at)) {
      const violation = items[at - place - 1];
      if (violation !== undefined)
        return <Cells violation={violation} hasStatus={search.status === undefined} onShow={onShow} />;
      return <div role="cell">{text('state.loading')}</div>;
    }
    if (group === undefined) return null;
    const isOpen = groupAt(at) === place;
    return (
      <GroupHead
        {...{ search, by, group, isOpen }}
        span={heads.length}
        unownedCount={unowned.length}
        onToggle={() => setOpened(isOpen ? undefined : group.key)}
      />
    );
  };
  return (
    <>
      {failure}
      <TableFrame
        label={text('violations.title')}
        heads={heads}
        fit={`${opened} ${items[0]?.id}`}
        total={null}
        window={window}
      >
        {rowAt}
      </TableFrame>
    </>
  );
}

interface OpenedProps extends Pick<GroupedRowsProps, 'search' | 'by' | 'unowned'> {
  /** The open group; undefined where none is open. */
  readonly key: string | null | undefined;
}

/** The violations of the open group, page by page. */
function useOpened({ search, by, key, unowned }: OpenedProps) {
  const sought = key === undefined ? null : searchOfGroup(search, by, key);
  const list = useInfiniteQuery({ ...violationsQuery(useApi(), sought ?? search), enabled: sought !== null });
  if (key === null) return { items: unowned, isReading: false, failure: null, readMore: () => {} };
  return {
    items: sought === null ? [] : (list.data?.pages.flatMap((page) => page.items) ?? []),
    isReading: list.isPending || list.hasNextPage,
    failure: sought !== null && list.isError && <Failure error={list.error} onRetry={list.refetch} />,
    readMore: () => {
      if (sought !== null && list.hasNextPage && !list.isFetching && !list.isError) list.fetchNextPage();
    },
  };
}

interface GroupHeadProps extends Pick<GroupedRowsProps, 'search' | 'by'> {
  readonly group: ViolationGroup;
  readonly isOpen: boolean;
  /** The number of columns. */
  readonly span: number;
  readonly onToggle: () => void;
  /** How many violations without an owner are read so far. */
  readonly unownedCount: number;
}

function GroupHead({ search, by, group: { key, name }, isOpen, span, unownedCount, onToggle }: GroupHeadProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const sought = searchOfGroup(search, by, key);
  const count = useQuery({ ...violationCountQuery(useApi(), sought ?? search), enabled: sought !== null });
  const level = by === 'level' && LEVELS.find((each) => each === key);
  return (
    <div role="cell" aria-colspan={span} className={styles['group']}>
      <button type="button" aria-expanded={isOpen} className={styles['toggle']} onClick={onToggle}>
        <span aria-hidden="true" className={styles['sign']}>
          {isOpen ? '▾' : '▸'}
        </span>
        <bdi>{level ? text(`level.${level}`) : key === null ? pageText('group.unowned') : name}</bdi>
      </button>
      <span className={styles['count']}>
        {sought === null
          ? pageText('group.read', { count: unownedCount })
          : count.data && <Count counted={count.data} />}
      </span>
    </div>
  );
}
