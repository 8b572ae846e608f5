import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { openCountQuery } from '../service/queries.ts';
import table from '../ui/tables/table.module.css';
import type { Cell, CellPolicy, Matrix } from './build.ts';
import { MATRIX_TEXTS } from './texts.ts';

/** The number of rows; the picture has all pairs. */
const SHOWN = 100;

export interface PairsProps {
  readonly matrix: Matrix;
  /** The cell whose policies are listed; null for the policies of all cells. */
  readonly chosen: Cell | null;
}

/**
 * The policies of cells, sorted by descending open violations: all of a chosen cell, and of all cells those with violations. Each
 * number leads to its violations.
 */
export function Pairs({ matrix, chosen }: PairsProps) {
  const { cells } = matrix;
  const { text } = useSpeech();
  const pageText = usePageTexts(MATRIX_TEXTS);
  const all = useMemo(() => rowsOf(chosen === null ? cells : [chosen]), [cells, chosen]);
  const isClean = ({ policy: { open } }: (typeof all)[number]) => open === 0;
  const listed = chosen === null ? all.filter((each) => !isClean(each)) : all;
  const rows = listed.slice(0, SHOWN);
  const clean = chosen === null ? new Set(all.filter(isClean).map(({ policy: { id } }) => id)).size : 0;
  return (
    <>
      {rows.length > 0 && (
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">{text('violations.policy')}</th>
              <th scope="col">{pageText('sides')}</th>
              <th scope="col" className={table['number']}>
                {text('status.Open')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cell, policy }) => (
              <tr key={`${cell.row} ${cell.column} ${policy.id}`}>
                <th scope="row" className={table['name']} dir="auto">
                  <Link to="/policies/$id" params={{ id: policy.id }}>
                    {policy.name}
                  </Link>
                </th>
                <td dir="auto">{nameOf(matrix, cell)}</td>
                <td className={table['number']}>
                  <Link to="/violations" search={{ policy: policy.id, status: 'Open' }}>
                    <OpenCount policy={policy} />
                    <span className="away"> {policy.name}</span>
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {clean > 0 && <p>{pageText('clean', { count: clean })}</p>}
    </>
  );
}

/** The sides that meet in a cell. */
export const nameOf = ({ sides }: Matrix, { row, column }: Pick<Cell, 'row' | 'column'>): string =>
  (row === column ? sides[row] : `${sides[column]} × ${sides[row]}`) ?? '';

const rowsOf = (cells: readonly Cell[]) =>
  cells
    .flatMap((cell) => cell.policies.map((policy) => ({ cell, policy })))
    .toSorted((one, other) => (other.policy.open ?? -1) - (one.policy.open ?? -1));

/** The open violations of a policy, counted where the counts of the register do not name it. */
function OpenCount({ policy: { id, open } }: { readonly policy: CellPolicy }) {
  const { number } = useSpeech();
  const counted = useQuery({ ...openCountQuery(useApi(), [id]), enabled: open === null });
  const count = open ?? counted.data;
  if (count === undefined) return counted.isError ? '?' : '…';
  return number(count);
}
