import { type QueryKey, type UseQueryOptions, useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { Failure } from './failure.tsx';
import styles from './paged-table.module.css';

const ROW_PX = 44;
/** The lines around and below the head of the table. */
const BORDERS_PX = 3;
const OVERSCAN = 12;
/** Browsers draw nothing that is higher than some millions of pixels. */
const ROWS_MAX = 200_000;

export interface PagedTableProps<Item, Key extends QueryKey> {
  readonly label: string;
  readonly heads: readonly string[];
  /** The class that sets `--columns`, the widths of the columns, and how narrow the table may be. */
  readonly columns: string | undefined;
  /** The number of all rows. */
  readonly total: number;
  /** How many rows a page has. */
  readonly pageRows: number;
  /** Reads the rows of a page, from 0. */
  readonly read: (page: number) => UseQueryOptions<readonly Item[], Error, readonly Item[], Key>;
  /** The cells of a row. */
  readonly children: (item: Item) => ReactNode;
}

/** A table of a known length: the rows in view are in the page, and only the pages that they are of are read. */
export function PagedTable<Item, Key extends QueryKey>(props: PagedTableProps<Item, Key>) {
  const { label, heads, columns, total, pageRows, read, children } = props;
  const { text } = useSpeech();
  const view = useRef<HTMLDivElement>(null);
  const count = Math.min(total, ROWS_MAX);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const shown = virtual.getVirtualItems();
  const pages = [...new Set(shown.map(({ index }) => Math.floor(index / pageRows)))];
  const results = useQueries({ queries: pages.map(read) });
  const itemAt = (index: number) => results[pages.indexOf(Math.floor(index / pageRows))]?.data?.[index % pageRows];
  const failed = results.find(({ isError }) => isError);
  return (
    <>
      {failed !== undefined && <Failure error={failed.error} onRetry={failed.refetch} />}
      <div
        ref={view}
        className={styles['view']}
        style={{ height: (count + 1) * ROW_PX + BORDERS_PX }}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <div role="table" aria-label={label} aria-rowcount={total + 1} className={columns}>
          <div role="rowgroup" className={styles['head']}>
            <div role="row" aria-rowindex={1} className={styles['row']}>
              {heads.map((head) => (
                <div key={head} role="columnheader">
                  {head}
                </div>
              ))}
            </div>
          </div>
          <div role="rowgroup" className={styles['body']} style={{ height: virtual.getTotalSize() }}>
            {shown.map(({ index, key, start }) => {
              const item = itemAt(index);
              return (
                <div
                  key={key}
                  role="row"
                  aria-rowindex={index + 2}
                  className={`${styles['row']} ${styles['placed']}`}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {item === undefined ? <div role="cell">…</div> : children(item)}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {total > count && <p className={styles['more']}>{text('table.more', { count })}</p>}
    </>
  );
}
