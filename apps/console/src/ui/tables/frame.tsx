import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useIsNarrow } from '../use-is-narrow.ts';
import { cellClass, type NarrowPlace } from './cell.tsx';
import styles from './long-table.module.css';
import { useFittedColumns } from './use-fitted-columns.ts';

const ROW_PX = 44;
/** A row of two lines. */
const NARROW_ROW_PX = 64;
/** A row whose title has two lines. */
const LONG_NARROW_ROW_PX = 80;
/** The lines around and below the head of the table. */
const BORDERS_PX = 3;
const OVERSCAN = 12;

/** The head of a column. */
export interface ColumnHead {
  readonly label: string;
  /** Whether the column has numbers, which are aligned at the end. */
  readonly isNumber?: boolean;
  /** Where its cells stand on a narrow screen; a table without any is as on a wide one. */
  readonly narrow?: NarrowPlace | undefined;
}

const placeOf = (at: number): number => at;

export interface RowWindowOptions {
  /** Another function for the keys has all rows counted again. */
  readonly keyOf?: (at: number) => string | number;
  /** Whether titles are sentences, which get the room that is left, and two lines on a narrow screen. */
  readonly hasLongTitles?: boolean;
}

/** The rows in view, of so many. */
export function useRowWindow(count: number, { keyOf = placeOf, hasLongTitles = false }: RowWindowOptions = {}) {
  const view = useRef<HTMLDivElement>(null);
  const narrowPx = hasLongTitles ? LONG_NARROW_ROW_PX : NARROW_ROW_PX;
  const rowPx = useIsNarrow() ? narrowPx : ROW_PX;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => view.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    getItemKey: keyOf,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, rowPx]);
  return { view, count, rowPx, hasLongTitles, rows: virtual.getVirtualItems(), height: virtual.getTotalSize() };
}

export interface TableFrameProps {
  readonly label: string;
  readonly heads: readonly ColumnHead[];
  /** Names the rows that the columns are fitted to: other ones fit them anew. */
  readonly fit: string;
  /** The number of all rows; null where it is unknown. */
  readonly total: number | null;
  readonly window: ReturnType<typeof useRowWindow>;
  /** The cells of a row; null for a row that is left out. */
  readonly children: (at: number) => ReactNode;
}

/** A table that scrolls, with the rows in view. */
export function TableFrame({ label, heads, fit, total, window, children }: TableFrameProps) {
  const { view, count, rowPx, hasLongTitles, rows, height } = window;
  const table = useRef<HTMLDivElement>(null);
  const rest = hasLongTitles ? heads.findIndex(({ narrow }) => narrow === 'title') : null;
  useFittedColumns(table, JSON.stringify([fit, heads.map((head) => head.label)]), rest);
  const isFolded = useIsNarrow() && heads.some(({ narrow }) => narrow !== undefined);
  return (
    <div
      ref={view}
      className={styles['view']}
      style={{ height: count * rowPx + (isFolded ? 0 : ROW_PX) + BORDERS_PX }}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <div
        ref={table}
        role="table"
        aria-label={label}
        aria-rowcount={total === null ? -1 : total + 1}
        className={`${styles['table']} ${isFolded ? styles['folded'] : ''} ${hasLongTitles ? styles['long'] : ''}`}
      >
        <div role="rowgroup" className={styles['head']}>
          <div role="row" aria-rowindex={1} className={styles['row']}>
            {heads.map((head) => (
              <div key={head.label} role="columnheader" className={cellClass(head)}>
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
                  className={`${styles['row']} ${styles['placed']}`}
                  style={{ height: rowPx, transform: `translateY(${start}px)` }}
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
