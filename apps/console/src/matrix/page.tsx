import type { SodPolicy, ViolationSummary } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { MATRIX_ROWS, type MatrixRows, type MatrixSearch, parseMatrixSearch } from '../service/matrix-search.ts';
import { policiesQuery } from '../service/policies.ts';
import { summaryQuery } from '../service/summary.ts';
import { systemsQuery } from '../service/systems.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FieldRow } from '../ui/fields/row.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Heading } from '../ui/heading.tsx';
import { buildHeat, namedEntitlements } from './heat.ts';
import { HeatMap, Legend } from './heat-map.tsx';
import styles from './page.module.css';
import { Sides } from './sides.tsx';
import { MATRIX_TEXTS } from './texts.ts';

/** With more entitlements than this, their systems are only read when they are asked for. */
const ENTITLEMENTS_MAX = 1_000;

/** Where the violations are: systems or tags against systems, then the sides of the policies of a cell, then people. */
export function MatrixPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(MATRIX_TEXTS);
  const api = useApi();
  const policies = useQuery(policiesQuery(api));
  const summary = useQuery(summaryQuery(api));
  const failed = [policies, summary].find(({ isError }) => isError);
  const isRead = policies.data !== undefined && summary.data !== undefined;
  const enforced = policies.data?.filter(({ state }) => state === 'ENFORCED').length ?? 0;
  return (
    <>
      <Heading title={pageText('title')}>
        <p role="status">{isRead ? pageText('about', { count: enforced }) : text('state.loading')}</p>
      </Heading>
      {failed !== undefined && <Failure error={failed.error} onRetry={failed.refetch} />}
      {isRead && enforced === 0 && (
        <Empty title={pageText('none')}>
          <p>{pageText('none.text')}</p>
          <Link to="/policies" className="button">
            {text('nav.policies')}
          </Link>
        </Empty>
      )}
      {isRead && enforced > 0 && <Matrix policies={policies.data} summary={summary.data} />}
    </>
  );
}

interface MatrixProps {
  readonly policies: readonly SodPolicy[];
  readonly summary: ViolationSummary;
}

function Matrix({ policies, summary }: MatrixProps) {
  const pageText = usePageTexts(MATRIX_TEXTS);
  const search = useSearch({ from: '/matrix' });
  const navigate = useNavigate({ from: '/matrix' });
  const change = (next: MatrixSearch) => navigate({ search: parseMatrixSearch({ ...next }) });
  const ids = useMemo(() => namedEntitlements(policies), [policies]);
  const hasTags = useMemo(() => policies.some(({ tags }) => tags.length > 0), [policies]);
  const { rows = ids.length > ENTITLEMENTS_MAX ? 'side' : 'system', row, column } = search;
  return (
    <>
      <FieldRow>
        <SelectField
          label={pageText('rows')}
          value={rows}
          options={MATRIX_ROWS.filter((value) => value !== 'tag' || hasTags).map((value) => ({
            value,
            label: pageText(`rows.${value}` as const),
          }))}
          onChange={(next: MatrixRows) => change({ rows: next })}
        />
      </FieldRow>
      {rows === 'side' ? (
        <Sides policies={policies} summary={summary} />
      ) : (
        <Systems
          policies={policies}
          summary={summary}
          ids={ids}
          rows={rows}
          chosen={row === undefined || column === undefined ? null : { row, column }}
          onChoose={(cell) => change({ ...(search.rows !== undefined && { rows: search.rows }), ...cell })}
        />
      )}
    </>
  );
}

interface SystemsProps extends MatrixProps {
  readonly ids: readonly string[];
  readonly rows: Exclude<MatrixRows, 'side'>;
  readonly chosen: { readonly row: string; readonly column: string } | null;
  readonly onChoose: (cell: { readonly row: string; readonly column: string } | null) => void;
}

function Systems({ policies, summary, ids, rows, chosen, onChoose }: SystemsProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(MATRIX_TEXTS);
  const systems = useQuery(systemsQuery(useApi(), ids));
  const { data } = systems;
  const none = pageText('system.none');
  const heat = useMemo(
    () => data && buildHeat(policies, summary, { rows, systemOf: (id) => data.get(id) ?? none }),
    [policies, summary, data, rows, none],
  );
  const cell = heat?.cells.find(({ row, column }) => row === chosen?.row && column === chosen.column) ?? null;
  // The cell is marked at once; what is in it follows.
  const shown = useDeferredValue(cell);
  const drill = useRef<HTMLDivElement>(null);
  const map = useRef<HTMLDivElement>(null);
  // Below a large heat map nothing else would say that something has changed.
  useEffect(() => {
    if (shown !== null) drill.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  const leave = () => {
    // What leads back is gone with it.
    map.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
    onChoose(null);
  };
  if (systems.isError) return <Failure error={systems.error} onRetry={systems.refetch} />;
  if (heat === undefined) return <p>{text('state.loading')}</p>;
  return (
    <div className={styles['drill']}>
      <div ref={map} className={styles['column']}>
        <HeatMap heat={heat} rows={rows} chosen={cell} onChoose={onChoose} />
        <Legend />
      </div>
      {shown === null ? (
        <p className={styles['hint']}>{pageText('hint')}</p>
      ) : (
        <div ref={drill} className={styles['column']}>
          <Sides
            key={JSON.stringify([rows, shown.row, shown.column])}
            policies={shown.policies}
            summary={summary}
            within={{
              cell: `${shown.column} × ${shown.row}`,
              whole: { name: pageText(`all.${rows}`), onChoose: leave },
            }}
          />
        </div>
      )}
    </div>
  );
}
