import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { policiesQuery, summaryQuery } from '../service/queries.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { buildMatrix, type Cell } from './build.ts';
import { Pairs, type PairsProps } from './pairs.tsx';
import styles from './picture.module.css';
import { Picture } from './picture.tsx';
import { MATRIX_TEXTS } from './texts.ts';

/** The sides of all enforced policies against each other, colored by open violations. */
export function MatrixPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(MATRIX_TEXTS);
  const api = useApi();
  const policies = useQuery(policiesQuery(api));
  const summary = useQuery(summaryQuery(api));
  const [chosen, setChosen] = useState<Pick<Cell, 'row' | 'column'> | null>(null);
  const matrix = useMemo(
    () => (policies.data && summary.data ? buildMatrix(policies.data, summary.data) : null),
    [policies.data, summary.data],
  );
  const failed = [policies, summary].find(({ isError }) => isError);
  // The cell is marked at once; the list of its policies follows.
  const cell = matrix?.cells.find(({ row, column }) => row === chosen?.row && column === chosen.column) ?? null;
  const listed = useDeferredValue(cell);
  const clear = useCallback(() => setChosen(null), []);
  return (
    <>
      <Heading title={pageText('title')}>
        <p role="status">
          {matrix === null ? text('state.loading') : pageText('about', { count: matrix.cells.length })}
        </p>
      </Heading>
      {failed !== undefined && <Failure error={failed.error} onRetry={failed.refetch} />}
      {matrix !== null && matrix.cells.length === 0 && (
        <Empty title={pageText('none')}>
          <p>{pageText('none.text')}</p>
        </Empty>
      )}
      {matrix !== null && matrix.cells.length > 0 && (
        <>
          <p className={styles['legend']}>{pageText('legend')}</p>
          <Picture matrix={matrix} chosen={cell} onChoose={setChosen} />
          <Chosen matrix={matrix} chosen={listed} onClear={clear} />
        </>
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
