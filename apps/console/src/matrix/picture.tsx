import { usePageTexts, useSpeech } from '../languages/context.tsx';
import type { Cell, Matrix } from './build.ts';
import styles from './picture.module.css';
import { MATRIX_TEXTS } from './texts.ts';

const CELL_PX = 22;
const GAP_PX = 2;
const LABEL_PX = 260;
const LABEL_GAP_PX = 8;
const BASELINE = 0.7;
/** The widest line around a cell: half of it is outside of the cell. */
const LINE_PX = 2;
/** The least numbers of open violations of the colors after the first. */
const SHADES = [1, 2, 5, 10, 50] as const;

export interface PictureProps {
  readonly matrix: Matrix;
  readonly chosen: Cell | null;
  readonly onChoose: (cell: Cell) => void;
}

/**
 * The matrix below its diagonal, where each side has its name once. It is for the eye and the pointer: the table below it says the
 * same, and is what keyboards and screen readers use.
 */
export function Picture({ matrix, chosen, onChoose }: PictureProps) {
  const { text, number } = useSpeech();
  const pageText = usePageTexts(MATRIX_TEXTS);
  const { sides, cells } = matrix;
  const size = sides.length * CELL_PX;
  return (
    <div className={styles['view']} tabIndex={0} role="region" aria-label={pageText('picture')}>
      <svg
        width={size + LABEL_PX}
        height={size + LINE_PX}
        viewBox={`${-LINE_PX / 2} ${-LINE_PX / 2} ${size + LABEL_PX} ${size + LINE_PX}`}
        aria-hidden="true"
      >
        {sides.map((side, at) => (
          <text
            key={side}
            className={styles['label']}
            x={(at + 1) * CELL_PX + LABEL_GAP_PX}
            y={(at + BASELINE) * CELL_PX}
          >
            {side}
          </text>
        ))}
        {sides.map((side, at) => (
          <rect key={side} className={styles['diagonal']} {...placeOf({ row: at, column: at })} />
        ))}
        {cells.map((cell) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table below is the same for the keyboard.
          <g key={`${cell.row} ${cell.column}`} className={styles['cell']} onClick={() => onChoose(cell)}>
            <title>{`${sides[cell.column]} × ${sides[cell.row]}: ${text('violations.count', { count: cell.open })}`}</title>
            <rect
              className={`${styles[shadeOf(cell.open)]} ${cell === chosen ? styles['chosen'] : ''}`}
              {...placeOf(cell)}
            />
            {cell.open > 0 && (
              <text
                className={styles['count']}
                x={(cell.column + 1 / 2) * CELL_PX - GAP_PX / 2}
                y={(cell.row + BASELINE) * CELL_PX - GAP_PX / 2}
              >
                {number(cell.open)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

const placeOf = ({ row, column }: Pick<Cell, 'row' | 'column'>) => ({
  ...{ x: column * CELL_PX, y: row * CELL_PX },
  ...{ width: CELL_PX - GAP_PX, height: CELL_PX - GAP_PX, rx: 3 },
});

const shadeOf = (open: number): string => `shade${SHADES.filter((least) => open >= least).length}`;
