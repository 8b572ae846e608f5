import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './long-table.module.css';

const ROW_PX = 44;
/** The lines around and below the head of the table. */
const BORDERS_PX = 3;
const OVERSCAN = 12;

/** The head of a column. */
export interface ColumnHead {
  readonly label: string;
  /** Whether the column has numbers, which are aligned at the end. */
  readonly isNumber?: boolean;
}

export interface LongTableProps<Item> {
  readonly label: string;
  readonly heads: readonly ColumnHead[];
  /** Those that are read so far. */
  readonly items: readonly Item[];
  /** The number of all; null where it is unknown. */
  readonly total: number | null;
  readonly hasMore: boolean;
  /** Called when the last of the items comes into view and there are more. */
  readonly onEnd: () => void;
  /** The class that sets the widths of the columns. */
  readonly columns: string | undefined;
  /** The cells of an item. */
  readonly children: (item: Item) => ReactNode;
}

/** A table of any length: only the rows in view are in the page. */
export function LongTable<Item extends { readonly id: string }>(props: LongTableProps<Item>) {
  const { label, heads, items, total, hasMore, onEnd, columns, children } = props;
  const view = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: (at) => items[at]?.id ?? at,
  });
  const shown = virtual.getVirtualItems();
  const isAtEnd = hasMore && (shown.at(-1)?.index ?? -1) >= items.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  });
  return (
    <div
      ref={view}
      className={styles['view']}
      style={{ height: (items.length + 1) * ROW_PX + BORDERS_PX }}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <div role="table" aria-label={label} aria-rowcount={total === null ? -1 : total + 1} className={styles['table']}>
        <div role="rowgroup" className={styles['head']}>
          <div role="row" aria-rowindex={1} className={`${styles['row']} ${columns}`}>
            {heads.map((head) => (
              <div
                key={head.label}
                role="columnheader"
                className={head.isNumber === true ? styles['number'] : undefined}
              >
                {head.label}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles['body']} style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, key, start }) => {
            const item = items[index];
            if (item === undefined) return null;
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={`${styles['row']} ${columns} ${styles['placed']}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                {children(item)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
