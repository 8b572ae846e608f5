import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { exceptionsQuery, type NamedException } from '../service/exceptions/queries.ts';
import { choiceOf, type ExceptionSearch } from '../service/exceptions/search.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { ExceptionFilters } from './filters.tsx';
import styles from './page.module.css';
import { Queue } from './queue.tsx';
import { EXCEPTION_TEXTS } from './texts.ts';

// What waits is what most come for.
const Decided = lazy(() => import('./decided.tsx').then((file) => ({ default: file.Decided })));

/** What waits for an approver, and what has been approved and has ended. */
export function ExceptionsPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const search = useSearch({ from: '/exceptions' });
  const [done, setDone] = useState<Done | null>(null);
  // What was done is said until another list is looked at.
  const choice = choiceOf(search);
  const list = JSON.stringify(choice);
  const said = done?.list === list ? done.said : '';
  const say = (words: string) => setDone({ list, said: words });
  const exceptions = useQuery(exceptionsQuery(useApi(), choice));
  const { items = [], total = 0 } = exceptions.data ?? {};
  const isOpen = ({ id, policyId }: NamedException) => id === search.open || policyId === search.together;
  const isSought = isQueue(search) && (search.open !== undefined || search.together !== undefined);
  // On a narrow screen, what is above a request would leave no room to read it.
  const isRequestAlone = useIsNarrow() && isSought && (exceptions.isPending || items.some(isOpen));
  return (
    <>
      <Heading title={pageText('title')}>{isRequestAlone ? undefined : <p>{pageText('about')}</p>}</Heading>
      {!isRequestAlone && <ExceptionFilters search={choice} />}
      {search.state === 'VOID' && <p className={styles['note']}>{pageText('about.VOID')}</p>}
      <Said words={said} />
      {exceptions.isPending && <p role="status">{text('state.loading')}</p>}
      {exceptions.isError && <Failure error={exceptions.error} onRetry={exceptions.refetch} />}
      {exceptions.data !== undefined && total === 0 && <Nothing search={choice} />}
      {items.length > 0 && <Found key={list} search={search} items={items} onDone={say} />}
      {total > items.length && <p>{pageText('more', { count: items.length })}</p>}
    </>
  );
}

/** Whether the list is of those that wait for an approval. */
const isQueue = ({ state = 'REQUESTED' }: ExceptionSearch): boolean => state === 'REQUESTED';

/** What was decided, and in which list. */
interface Done {
  readonly list: string;
  readonly said: string;
}

/** What was done. It comes into view: the request that was decided on is gone, and another one is where it was. */
function Said({ words }: { readonly words: string }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (words !== '') place.current?.focus();
  }, [words]);
  return (
    <p ref={place} role="status" tabIndex={-1} className={styles['said']} dir="auto">
      {words}
    </p>
  );
}

interface FoundProps {
  readonly search: ExceptionSearch;
  readonly items: readonly NamedException[];
  readonly onDone: (said: string) => void;
}

function Found({ search, items, onDone }: FoundProps) {
  const { text } = useSpeech();
  if (isQueue(search)) return <Queue search={search} items={items} onDone={onDone} />;
  return (
    <Suspense fallback={<p role="status">{text('state.loading')}</p>}>
      <Decided exceptions={items} onDone={onDone} />
    </Suspense>
  );
}

function Nothing({ search }: { readonly search: ExceptionSearch }) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const navigate = useNavigate({ from: '/exceptions' });
  const isFiltered = search.ending === true || search.person !== undefined;
  const isEmptyQueue = isQueue(search) && !isFiltered;
  if (!isEmptyQueue && !isFiltered)
    return (
      <Empty title={pageText('none')}>
        <p>{pageText('none.state')}</p>
      </Empty>
    );
  return (
    <Empty title={pageText(isEmptyQueue ? 'none.REQUESTED' : 'none')}>
      <p>{pageText(isEmptyQueue ? 'none.REQUESTED.text' : 'none.text')}</p>
      {isEmptyQueue ? (
        <Link to="/violations" search={{ status: 'Open' }} className="button">
          {pageText('violations')}
        </Link>
      ) : (
        <button type="button" className="button" onClick={() => navigate({ search: {} })}>
          {pageText('clear')}
        </button>
      )}
    </Empty>
  );
}
