import { type QueryKey, type UseQueryOptions, useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSpeech } from '../../languages/context.tsx';
import { Failure } from '../failure.tsx';
import { TableFrame, type TableFrameProps, useRowWindow } from './frame.tsx';
import styles from './long-table.module.css';

/** Browsers draw nothing that is higher than some millions of pixels. */
const ROWS_MAX = 200_000;

export interface PagedTableProps<Item, Key extends QueryKey> extends Pick<TableFrameProps, 'label' | 'heads'> {
  /** The number of all rows. */
  readonly total: number;
  /** How many rows a page has. */
  readonly pageRows: number;
  /** Reads the rows of a page, from 0. */
  readonly read: (page: number) => UseQueryOptions<readonly Item[], Error, readonly Item[], Key>;
  /** Whether titles are sentences, which get the room that is left, and two lines on a narrow screen. */
  readonly hasLongTitles?: boolean;
  /** The cells of a row. */
  readonly children: (item: Item) => ReactNode;
}

/** A table of a known length: the rows in view are in the page, and only the pages that they are of are read. */
export function PagedTable<Item, Key extends QueryKey>(props: PagedTableProps<Item, Key>) {
  const { total, pageRows, read, hasLongTitles = false, children, ...frame } = props;
  const { text } = useSpeech();
  const count = Math.min(total, ROWS_MAX);
  const window = useRowWindow(count, { hasLongTitles });
  const pages = [...new Set(window.rows.map(({ index }) => Math.floor(index / pageRows)))];
  const results = useQueries({ queries: pages.map(read) });
  const isRead = results.some(({ data }) => data !== undefined);
  const failed = results.find(({ isError }) => isError);
  return (
    <>
      {failed !== undefined && <Failure error={failed.error} onRetry={failed.refetch} />}
      <TableFrame {...frame} fit={isRead ? 'read' : ''} total={total} window={window}>
        {(at) => {
          const item = results[pages.indexOf(Math.floor(at / pageRows))]?.data?.[at % pageRows];
          return item === undefined ? <div role="cell">…</div> : children(item);
        }}
      </TableFrame>
      {total > count && <p className={styles['more']}>{text('table.more', { count })}</p>}
    </>
  );
}
