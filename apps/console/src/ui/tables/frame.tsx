import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
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

const placeOf = (at: number): number => at;

/** The rows in view, of so many. Another function for the keys has all rows counted again. */
export function useRowWindow(count: number, keyOf: (at: number) => string | number = placeOf) {
  const view = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: keyOf,
  });
  return { view, count, rows: virtual.getVirtualItems(), height: virtual.getTotalSize() };
}

export interface TableFrameProps {
  readonly label: string;
  readonly heads: readonly ColumnHead[];
  /** The class that sets the widths of the columns. */
  readonly columns: string | undefined;
  /** The number of all rows; null where it is unknown. */
  readonly total: number | null;
  readonly window: ReturnType<typeof useRowWindow>;
  /** The cells of a row; null for a row that is left out. */
  readonly children: (at: number) => ReactNode;
}

/** A table that scrolls, with the rows in view. */
export function TableFrame({ label, heads, columns, total, window, children }: TableFrameProps) {
  const { view, count, rows, height } = window;
  return (
    <div
      ref={view}
      className={styles['view']}
      style={{ height: (count + 1) * ROW_PX + BORDERS_PX }}
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
        <div role="rowgroup" className={styles['body']} style={{ height }}>
          {rows.map(({ index, key, start }) => {
            const cells = children(index);
            return (
              cells !== null && (
                <div
                  key={key}
                  role="row"
                  aria-rowindex={index + 2}
                  className={`${styles['row']} ${columns} ${styles['placed']}`}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {cells}
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}
