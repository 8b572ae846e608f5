import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, memo, Suspense, useCallback, useMemo } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { countOf, violationsQuery } from '../service/queries.ts';
import { filtersOf, type ViolationSearch } from '../service/violation-search.ts';
import { useAddressed } from '../ui/dialogs/use-addressed.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { Count } from './count.tsx';
import { ViolationDrawer } from './drawer.tsx';
import { ExportButton } from './export-button.tsx';
import { ViolationFilters } from './filters.tsx';
import { MineNote, useMine } from './mine.tsx';
import { Rows } from './rows.tsx';
import { VIOLATIONS_TEXTS } from './texts.ts';

// A page that is opened first shows a list.
const Grouped = lazy(() => import('./grouped.tsx').then((file) => ({ default: file.Grouped })));

/** The register of violations, filtered and sorted by its address. */
export function ViolationsPage() {
  const navigate = useNavigate({ from: '/violations' });
  const addressed = useSearch({ from: '/violations', select: ({ open: id }) => id ?? null });
  const write = useCallback(
    (id: string | null) => navigate({ search: (present) => withOpen(listOf(present), id) }),
    [navigate],
  );
  const [open, setOpen] = useAddressed(addressed, write);
  return (
    <>
      <List onShow={setOpen} />
      <ViolationDrawer id={open} onClose={() => setOpen(null)} />
    </>
  );
}

interface ListProps {
  readonly onShow: (id: string) => void;
}

/** The violations of the address. It has no part in which of them is open. */
const List = memo(function List({ onShow }: ListProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const list = useMine(useSearch({ from: '/violations', select: listOf, structuralSharing: true }));
  const navigate = useNavigate({ from: '/violations' });
  const violations = useInfiniteQuery(violationsQuery(useApi(), list));
  const { pages } = violations.data ?? {};
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages]);
  const counted = pages?.[0] === undefined ? null : countOf(pages[0]);
  const total = counted?.count ?? null;
  // What the link of the navigation shows.
  const isEmpty = total === 0 && [undefined, filtersOf({ status: 'Open' })].includes(filtersOf(list));
  return (
    <>
      <Heading title={text('violations.title')} ways={list.mine !== true && <ExportButton search={list} />}>
        <p role="status">
          {counted === null ? violations.isPending && text('state.loading') : <Count counted={counted} />}
        </p>
      </Heading>
      <MineNote />
      <ViolationFilters search={list} />
      {violations.isError && <Failure error={violations.error} onRetry={violations.refetch} />}
      {isEmpty && (
        <Empty
          title={pageText(list.status === undefined ? 'empty' : 'empty.open')}
          ways={
            <>
              <Link to="/policies" className="button">
                {pageText('empty.policies')}
              </Link>
              <Link to="/what-if" className="button">
                {pageText('empty.what-if')}
              </Link>
            </>
          }
        >
          <p>{pageText('empty.text')}</p>
        </Empty>
      )}
      {total === 0 && !isEmpty && (
        <Empty title={pageText('none')}>
          <p>{pageText('none.text')}</p>
          <button type="button" className="button" onClick={() => navigate({ search: {} })}>
            {text('violations.clear')}
          </button>
        </Empty>
      )}
      {total !== null && total > 0 && list.group !== undefined && (
        <Suspense>
          <Grouped key={list.group} search={list} by={list.group} list={violations} onShow={onShow} />
        </Suspense>
      )}
      {total !== null && total > 0 && list.group === undefined && (
        <Rows
          search={list}
          items={items}
          total={counted?.isExact ? total : null}
          hasMore={violations.hasNextPage}
          onShow={onShow}
          onEnd={() => {
            if (violations.hasNextPage && !violations.isFetchingNextPage && !violations.isError)
              violations.fetchNextPage();
          }}
        />
      )}
    </>
  );
});

const listOf = ({ open: _, ...list }: ViolationSearch): ViolationSearch => list;

const withOpen = (list: ViolationSearch, id: string | null): ViolationSearch =>
  id === null ? list : { ...list, open: id };
