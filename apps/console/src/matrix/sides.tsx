import type { SodPolicy, ViolationSummary } from '@access-admin/client';
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { Card } from '../ui/card.tsx';
import { buildMatrix, type Cell } from './build.ts';
import { Pairs, type PairsProps } from './pairs.tsx';
import { People } from './people.tsx';
import { Picture } from './picture.tsx';
import { MATRIX_TEXTS } from './texts.ts';

export interface SidesProps {
  readonly policies: readonly SodPolicy[];
  readonly summary: ViolationSummary;
  /** The cell of the heat map that the policies are of. */
  readonly within?: string;
  /** Goes back to the whole heat map. */
  readonly onLeave?: () => void;
}

/** The sides of policies against each other, then the policies of a pair of them, then their people. */
export function Sides({ policies, summary, within, onLeave }: SidesProps) {
  const pageText = usePageTexts(MATRIX_TEXTS);
  const [chosen, setChosen] = useState<Pick<Cell, 'row' | 'column'> | null>(null);
  const matrix = useMemo(() => buildMatrix(policies, summary), [policies, summary]);
  // The cell is marked at once; the list of its policies follows.
  const cell = matrix.cells.find(({ row, column }) => row === chosen?.row && column === chosen.column) ?? null;
  const listed = useDeferredValue(cell);
  const clear = useCallback(() => setChosen(null), []);
  const shown = listed === null ? (within === undefined ? null : matrix.cells) : [listed];
  return (
    <>
      <Card title={within === undefined ? pageText('rows.side') : pageText('within', { cell: within })}>
        <p>{pageText('legend')}</p>
        <Picture matrix={matrix} chosen={cell} onChoose={setChosen} />
        {onLeave !== undefined && (
          <p>
            <button type="button" className="button" onClick={onLeave}>
              {pageText('leave')}
            </button>
          </p>
        )}
      </Card>
      <Chosen matrix={matrix} chosen={listed} onClear={clear} />
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
