import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { MatrixRows } from '../service/matrix-search.ts';
import { openCountQuery } from '../service/queries.ts';
import type { Heat, HeatCell } from './heat.ts';
import styles from './heat-map.module.css';
import shades from './shades.module.css';
import { SHADES, shadeOf } from './shades.ts';
import { MATRIX_TEXTS } from './texts.ts';

export interface HeatMapProps {
  readonly heat: Heat;
  readonly rows: Exclude<MatrixRows, 'side'>;
  readonly chosen: HeatCell | null;
  readonly onChoose: (cell: Pick<HeatCell, 'row' | 'column'>) => void;
}

/** The heat map: a table whose cells are buttons, so that keyboards and screen readers use it too. */
export const HeatMap = memo(function HeatMap({
  heat: { rows, columns, cells },
  rows: kind,
  chosen,
  onChoose,
}: HeatMapProps) {
  const pageText = usePageTexts(MATRIX_TEXTS);
  const places = new Map(cells.map((cell) => [JSON.stringify([cell.row, cell.column]), cell]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <section className={shades['view']} aria-label={pageText(`heat.${kind}`)} tabIndex={0}>
      <table className={styles['heat']}>
        <thead>
          <tr>
            <td />
            {columns.map((column) => (
              <th key={column} scope="col" dir="auto">
                <span className={styles['name']}>{column}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row}>
              <th scope="row" dir="auto">
                <span className={styles['name']}>{row}</span>
              </th>
              {columns.map((column, place) => {
                const cell = places.get(JSON.stringify([row, column]));
                // Two systems meet once, below the diagonal.
                if (kind === 'system' && place > at) return <td key={column} />;
                return (
                  <td key={column} className={cell === undefined ? styles['bare'] : undefined}>
                    {cell !== undefined && <Cell cell={cell} isChosen={cell === chosen} onChoose={onChoose} />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
});

interface CellProps extends Pick<HeatMapProps, 'onChoose'> {
  readonly cell: HeatCell;
  readonly isChosen: boolean;
}

/** A cell. What the counts of the register do not name is counted while the cell is shown. */
function Cell({ cell: { row, column, policies, open: known, uncounted }, isChosen, onChoose }: CellProps) {
  const { text, number } = useSpeech();
  const pageText = usePageTexts(MATRIX_TEXTS);
  const others = useQuery({ ...openCountQuery(useApi(), uncounted), enabled: uncounted.length > 0 });
  const rest = uncounted.length === 0 ? 0 : others.data;
  const open = rest === undefined ? undefined : known + rest;
  const unknown = text(others.isError ? 'failure.title' : 'state.loading');
  return (
    <button
      type="button"
      className={`${styles['cell']} ${shadeOf(open ?? known)} ${open === 0 ? styles['none'] : ''}`}
      aria-pressed={isChosen}
      title={`${column} × ${row}: ${pageText('policies', { count: policies.length })}`}
      onClick={() => onChoose({ row, column })}
    >
      <span aria-hidden="true">{open === undefined ? (others.isError ? '?' : '…') : number(open)}</span>
      <span className="away">
        {`${column} × ${row}: ${open === undefined ? unknown : text('violations.count', { count: open })}`}
      </span>
    </button>
  );
}

/** What the colors of the cells mean. The cells say it by numbers too. */
export function Legend() {
  const { number } = useSpeech();
  const pageText = usePageTexts(MATRIX_TEXTS);
  const ranges = SHADES.map((least, at) => {
    const next = SHADES[at + 1];
    if (next === undefined) return `${number(least)}+`;
    return next === least + 1 ? number(least) : `${number(least)}–${number(next - 1)}`;
  });
  return (
    <ul className={styles['legend']}>
      <li>{pageText('legend.open')}</li>
      {[number(0), ...ranges].map((range, at) => (
        <li key={range}>
          <span className={shadeOf(SHADES[at - 1] ?? 0)} />
          {range}
        </li>
      ))}
      <li>
        <span />
        {pageText('legend.bare')}
      </li>
    </ul>
  );
}
