import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { filtersOf } from '../service/audit/filters.ts';
import { auditCountQuery, auditRowsQuery } from '../service/audit/queries.ts';
import { PAGE_ROWS } from '../service/audit/rows.ts';
import type { AuditSearch } from '../service/audit/search.ts';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import link from '../ui/link.module.css';
import type { NarrowPlace } from '../ui/tables/cell.tsx';
import { PagedTable } from '../ui/tables/paged-table.tsx';
import styles from './page.module.css';
import { Cells } from './rows.tsx';
import { AUDIT_TEXTS } from './texts.ts';

const Entry = lazy(() => import('./entry.tsx').then((file) => ({ default: file.Entry })));
const EntryFilters = lazy(() => import('./filters.tsx').then((file) => ({ default: file.EntryFilters })));
const Integrity = lazy(() => import('./integrity/section.tsx').then((file) => ({ default: file.Integrity })));

const HEADS = ['what', 'time', 'outcome', 'sequence'] as const;

/** On a narrow screen. */
const NARROW: Partial<Record<(typeof HEADS)[number], NarrowPlace>> = { what: 'title', time: 'line', outcome: 'end' };

/** The audit log with its changes and refusals, filtered by the address of the page. */
export function AuditLogPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(AUDIT_TEXTS);
  const api = useApi();
  const { entry, ...list } = useSearch({ from: '/audit-log' });
  const navigate = useNavigate({ from: '/audit-log' });
  const count = useQuery(auditCountQuery(api, list));
  const { total, newer, showNewer } = useTotal(list, count.data);
  const show = (sequence: number | undefined) =>
    navigate({ search: sequence === undefined ? list : { ...list, entry: sequence } });
  return (
    <>
      <Heading title={pageText('title')}>
        <div className={styles['counted']}>
          <p role="status">
            {total === null ? count.isPending && text('state.loading') : pageText('count', { count: total })}
          </p>
          {newer > 0 && (
            <button type="button" className={link['inline']} onClick={showNewer}>
              {pageText('newer', { count: newer })}
            </button>
          )}
        </div>
      </Heading>
      <div className={styles['integrity']}>
        <Suspense>
          <Integrity onShow={show} />
        </Suspense>
      </div>
      <div className={styles['filters']}>
        <Suspense>
          <EntryFilters search={list} />
        </Suspense>
      </div>
      {count.isError && <Failure error={count.error} onRetry={count.refetch} />}
      {total === 0 && (
        <Empty title={pageText('none')}>
          <p>{pageText('none.text')}</p>
          <button type="button" className="button" onClick={() => navigate({ search: {} })}>
            {text('violations.clear')}
          </button>
        </Empty>
      )}
      {total !== null && total > 0 && (
        <Suspense>
          <PagedTable
            label={pageText('title')}
            heads={HEADS.map((head) => ({ label: pageText(head), narrow: NARROW[head] }))}
            total={total}
            pageRows={PAGE_ROWS}
            hasLongTitles
            read={auditRowsQuery(api, list, total)}
          >
            {(event) => <Cells event={event} onShow={show} />}
          </PagedTable>
        </Suspense>
      )}
      <Drawer
        isOpen={entry !== undefined}
        title={pageText('entry', { count: entry ?? 0 })}
        onClose={() => show(undefined)}
      >
        <Suspense>{entry !== undefined && <Entry sequence={entry} onShow={show} />}</Suspense>
      </Drawer>
    </>
  );
}

/** The number of entries that the table shows. Newer ones are only counted, so that no row moves while the table is read. */
function useTotal(search: AuditSearch, counted: number | undefined) {
  const filters = filtersOf(search);
  const [shown, setShown] = useState<{ readonly filters: string | undefined; readonly total: number } | null>(null);
  const isShown = shown !== null && shown.filters === filters;
  if (!isShown && counted !== undefined) setShown({ filters, total: counted });
  const total = isShown ? shown.total : (counted ?? null);
  const newer = isShown && counted !== undefined ? counted - shown.total : 0;
  return { total, newer, showNewer: () => setShown({ filters, total: counted ?? 0 }) };
}
