import type { SodPolicy, ViolationSummary } from '@access-admin/client';
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { Breadcrumb, type Crumb } from '../ui/breadcrumb.tsx';
import { Card } from '../ui/card.tsx';
import { buildMatrix, type Cell } from './build.ts';
import { nameOf, Pairs, type PairsProps } from './pairs.tsx';
import { People } from './people.tsx';
import { Picture } from './picture.tsx';
import { MATRIX_TEXTS } from './texts.ts';

export interface SidesProps {
  readonly policies: readonly SodPolicy[];
  readonly summary: ViolationSummary;
  /** The cell of the heat map that the policies are of, below the crumb of the whole heat map. */
  readonly within?: { readonly cell: string; readonly whole: Crumb };
}

/** The sides of policies against each other, then the policies of a pair of them, then their people. */
export function Sides({ policies, summary, within }: SidesProps) {
  const pageText = usePageTexts(MATRIX_TEXTS);
  const [chosen, setChosen] = useState<Pick<Cell, 'row' | 'column'> | null>(null);
  const matrix = useMemo(() => buildMatrix(policies, summary), [policies, summary]);
  // The cell is marked at once; the list of its policies follows.
  const cell = matrix.cells.find(({ row, column }) => row === chosen?.row && column === chosen.column) ?? null;
  const listed = useDeferredValue(cell);
  const clear = useCallback(() => setChosen(null), []);
  const shown = listed === null ? (within === undefined ? null : matrix.cells) : [listed];
  const crumbs = [
    ...(within === undefined
      ? [{ name: pageText('all.side'), onChoose: clear }]
      : [within.whole, { name: within.cell, onChoose: clear }]),
    ...(listed === null ? [] : [{ name: nameOf(matrix, listed), onChoose: () => {} }]),
  ];
  return (
    <>
      <Breadcrumb label={pageText('crumbs')} crumbs={crumbs} />
      <Card title={within === undefined ? pageText('rows.side') : pageText('within', { cell: within.cell })}>
        <p>{pageText('legend')}</p>
        <Picture matrix={matrix} chosen={cell} onChoose={setChosen} />
      </Card>
      <Chosen matrix={matrix} chosen={listed} />
      {shown !== null && (
        <People policyIds={[...new Set(shown.flatMap(({ policies: own }) => own.map(({ id }) => id)))]} />
      )}
    </>
  );
}

const Chosen = memo(function Chosen(props: PairsProps) {
  const pageText = usePageTexts(MATRIX_TEXTS);
  return (
    <Card title={pageText(props.chosen === null ? 'table' : 'chosen')}>
      <Pairs {...props} />
    </Card>
  );
});
