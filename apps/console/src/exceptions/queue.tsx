import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import type { NamedException } from '../service/exceptions/queries.ts';
import { choiceOf, type ExceptionSearch } from '../service/exceptions/search.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import styles from './queue.module.css';
import { EXCEPTION_TEXTS } from './texts.ts';

// The list is there before the conflict is read.
const Request = lazy(() => import('./request.tsx').then((file) => ({ default: file.Request })));
const Together = lazy(() => import('./together.tsx').then((file) => ({ default: file.Together })));

export interface QueueProps {
  readonly search: ExceptionSearch;
  readonly items: readonly NamedException[];
  /** Called with what has happened to the request that was shown. */
  readonly onDone: (said: string) => void;
}

/** The requests that wait, and one of them in full beside them; on a narrow screen in place of them. */
export function Queue({ search, items, onDone }: QueueProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const navigate = useNavigate({ from: '/exceptions' });
  const isNarrow = useIsNarrow();
  const together = items.filter(({ policyId }) => policyId === search.together);
  const alone = items.find(({ id }) => id === search.open) ?? (isNarrow ? undefined : items[0]);
  const shown = together.length > 0 ? together : alone === undefined ? [] : [alone];
  const [first] = shown;
  const siblings = items.filter(({ policyId }) => policyId === first?.policyId).length;
  const decided = useRef<readonly string[]>([]);
  const shownBefore = useRef<string>(undefined);
  useEffect(() => {
    const { current: before } = shownBefore;
    shownBefore.current = first?.id;
    if (before === undefined || decided.current.includes(before) || items.some(({ id }) => id === before)) return;
    // Another request stands where it was: an approver must not decide on that one by mistake.
    onDone(pageText('queue.gone'));
  });
  const done = (said: string) => {
    decided.current = shown.map(({ id }) => id);
    navigate({ search: choiceOf(search), replace: true, resetScroll: false });
    onDone(said);
  };
  return (
    <div className={styles['queue']}>
      {!(isNarrow && first !== undefined) && <List search={search} items={items} shown={shown} />}
      {first !== undefined && (
        <div className={styles['shown']}>
          {isNarrow && (
            <Link to="/exceptions" search={choiceOf(search)} className={styles['back']}>
              {pageText('queue.back', { count: items.length })}
            </Link>
          )}
          {siblings > 1 && (
            <Link
              to="/exceptions"
              search={{
                ...choiceOf(search),
                ...(together.length > 0 ? { open: first.id } : { together: first.policyId }),
              }}
              replace
              resetScroll={false}
              className={styles['together']}
            >
              {together.length > 0 ? pageText('together.apart') : pageText('together', { count: siblings })}
            </Link>
          )}
          <Suspense fallback={<p role="status">{text('state.loading')}</p>}>
            {together.length > 0 ? (
              <Together key={first.policyId} exceptions={together} onDone={done} />
            ) : (
              <Request key={first.id} exception={first} onDone={done} />
            )}
          </Suspense>
        </div>
      )}
    </div>
  );
}

interface ListProps extends Pick<QueueProps, 'search' | 'items'> {
  readonly shown: readonly NamedException[];
}

function List({ search, items, shown }: ListProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  return (
    <nav aria-label={pageText('queue')} className={styles['list']}>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <Link
              to="/exceptions"
              search={{ ...choiceOf(search), open: item.id }}
              resetScroll={false}
              activeProps={{}}
              aria-current={shown.includes(item) ? 'true' : undefined}
            >
              <span className={styles['first']}>
                <bdi className={styles['person']}>{item.person}</bdi>
                {item.level !== null && <LevelBadge level={VIOLATION_LEVELS[item.level]} />}
              </span>
              <span className={styles['policy']} dir="auto">
                {item.policyName}
              </span>
              <span className={styles['muted']} dir="auto">
                {pageText('queue.item', { requester: item.requester, day: day(item.created), end: day(item.end) })}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
