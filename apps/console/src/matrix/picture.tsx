import { useQuery } from '@tanstack/react-query';
import { Fragment, memo } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { openCountQuery } from '../service/queries.ts';
import type { Cell, Matrix } from './build.ts';
import styles from './picture.module.css';
import shades from './shades.module.css';
import { shadeOf } from './shades.ts';
import { MATRIX_TEXTS } from './texts.ts';
import { type CellWindow, useCellWindow } from './use-cell-window.ts';

const CELL_PX = 22;
const GAP_PX = 2;
const LABEL_PX = 260;
const LABEL_GAP_PX = 8;
const BASELINE = 0.7;
/** The widest line around a cell: half of it is outside of the cell. */
const LINE_PX = 2;

export interface PictureProps {
  readonly matrix: Matrix;
  readonly chosen: Cell | null;
  readonly onChoose: (cell: Cell) => void;
}

/**
 * The matrix below its diagonal, where each side has its name once. It is for the eye and the pointer: the table below it says the
 * same, and is what keyboards and screen readers use. Only what is in view is drawn.
 */
export function Picture({ matrix, chosen, onChoose }: PictureProps) {
  const pageText = usePageTexts(MATRIX_TEXTS);
  const { sides, cells } = matrix;
  const size = sides.length * CELL_PX;
  const { view, shown, onScroll } = useCellWindow(CELL_PX);
  const rows = sides.slice(shown.top, shown.bottom).map((side, at) => ({ side, at: shown.top + at }));
  return (
    <div
      ref={view}
      className={shades['view']}
      tabIndex={0}
      role="region"
      aria-label={pageText('picture')}
      onScroll={onScroll}
    >
      <svg
        className={styles['picture']}
        width={size + LABEL_PX}
        height={size + LINE_PX}
        viewBox={`${-LINE_PX / 2} ${-LINE_PX / 2} ${size + LABEL_PX} ${size + LINE_PX}`}
        aria-hidden="true"
      >
        {rows.map(({ side, at }) => (
          <Fragment key={side}>
            <text className={styles['label']} x={(at + 1) * CELL_PX + LABEL_GAP_PX} y={(at + BASELINE) * CELL_PX}>
              {side}
            </text>
            <rect className={styles['diagonal']} {...placeOf({ row: at, column: at })} />
          </Fragment>
        ))}
        {cells
          .filter((cell) => isIn(cell, shown))
          .map((cell) => (
            <CellMark key={`${cell.row} ${cell.column}`} {...{ cell, sides, isChosen: cell === chosen, onChoose }} />
          ))}
      </svg>
    </div>
  );
}

interface CellMarkProps {
  readonly cell: Cell;
  readonly sides: Matrix['sides'];
  readonly isChosen: boolean;
  readonly onChoose: (cell: Cell) => void;
}

/** A cell. What the counts of the register do not name is counted while the cell is shown. */
const CellMark = memo(function CellMark({ cell, sides, isChosen, onChoose }: CellMarkProps) {
  const { text, number } = useSpeech();
  const others = useQuery({ ...openCountQuery(useApi(), cell.uncounted), enabled: cell.uncounted.length > 0 });
  const rest = cell.uncounted.length === 0 ? 0 : others.data;
  const open = rest === undefined ? undefined : cell.open + rest;
  const unknown = text(others.isError ? 'failure.title' : 'state.loading');
  const said = open === undefined ? unknown : text('violations.count', { count: open });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table below is the same for the keyboard.
    <g className={styles['cell']} onClick={() => onChoose(cell)}>
      <title>{`${sides[cell.column]} × ${sides[cell.row]}: ${said}`}</title>
      <rect className={`${shadeOf(open ?? cell.open)} ${isChosen ? styles['chosen'] : ''}`} {...placeOf(cell)} />
      {open !== 0 && (
        <text
          className={styles['count']}
          x={(cell.column + 1 / 2) * CELL_PX - GAP_PX / 2}
          y={(cell.row + BASELINE) * CELL_PX - GAP_PX / 2}
        >
          {open === undefined ? (others.isError ? '?' : '…') : number(open)}
        </text>
      )}
    </g>
  );
});

const isIn = ({ row, column }: Cell, { top, bottom, left, right }: CellWindow): boolean =>
  row >= top && row < bottom && column >= left && column < right;

const placeOf = ({ row, column }: Pick<Cell, 'row' | 'column'>) => ({
  x: column * CELL_PX,
  y: row * CELL_PX,
  width: CELL_PX - GAP_PX,
  height: CELL_PX - GAP_PX,
  rx: 3,
});
