import type { ReactNode } from 'react';
import styles from './long-table.module.css';

/**
 * Where a cell stands on a narrow screen, on which each row has two lines: first what it is about, with a mark at its end, then a
 * line of text with a number at its end. Other cells are left out there.
 */
export type NarrowPlace = 'title' | 'mark' | 'line' | 'end';

export interface CellProps {
  readonly narrow?: NarrowPlace | undefined;
  readonly isNumber?: boolean;
  /** All of a text that may be cut. */
  readonly title?: string | undefined;
  /** What a number counts, which is said on a narrow screen, where columns have no heads. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A cell of a table of any length. */
export const Cell = ({ narrow, isNumber = false, title, label, children }: CellProps) => (
  <div role="cell" dir="auto" title={title} data-label={label} className={cellClass({ narrow, isNumber })}>
    {children}
  </div>
);

/** The classes of a cell. */
export const cellClass = ({ narrow, isNumber = false }: Pick<CellProps, 'narrow' | 'isNumber'>): string =>
  [isNumber && styles['number'], narrow !== undefined && styles[narrow]].filter((each) => each !== false).join(' ');
