import type { AccessHolder, AccessRef } from '@access-admin/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { holdersQuery } from '../service/access/queries.ts';
import { useApi } from '../service/api.tsx';
import { nameOf } from '../service/name-of.ts';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import { LongTable } from '../ui/tables/long-table.tsx';
import styles from './page.module.css';
import { ACCESS_TEXTS } from './texts.ts';

const HEADS = ['person', 'via', 'start', 'end'] as const;
const NARROW: Partial<Record<(typeof HEADS)[number], NarrowPlace>> = { person: 'title', via: 'line', end: 'end' };

/** The assignments by which people hold something. */
export function Holders({ of }: { readonly of: AccessRef }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(ACCESS_TEXTS);
  const holders = useInfiniteQuery(holdersQuery(useApi(), of));
  const { pages } = holders.data ?? {};
  const items = useMemo(
    () => pages?.flatMap((page) => page.items).map((holder, at) => ({ ...holder, id: String(at) })) ?? [],
    [pages],
  );
  const total = pages?.[0]?.total ?? null;
  const isExact = pages?.[0]?.totalIs !== 'at-least';
  return (
    <Card title={pageText('holders')}>
      <p role="status" className={styles['muted']}>
        {holders.isPending && text('state.loading')}
        {total !== null &&
          (total === 0
            ? pageText('holders.none')
            : pageText(isExact ? 'holders.count' : 'holders.at-least', { count: total }))}
      </p>
      {holders.isError && <Failure error={holders.error} onRetry={holders.refetch} />}
      {items.length > 0 && (
        <LongTable
          label={pageText('holders.table')}
          heads={HEADS.map((head) => ({ label: pageText(head), narrow: NARROW[head] }))}
          items={items}
          total={isExact ? total : null}
          hasMore={holders.hasNextPage}
          onEnd={() => {
            if (holders.hasNextPage && !holders.isFetchingNextPage && !holders.isError) holders.fetchNextPage();
          }}
        >
          {(holder) => <Cells holder={holder} />}
        </LongTable>
      )}
    </Card>
  );
}

function Cells({ holder: { identity, via, start, end } }: { readonly holder: AccessHolder }) {
  const { day } = useSpeech();
  const pageText = usePageTexts(ACCESS_TEXTS);
  const person = nameOf(identity.id, identity.name);
  const way = via.length === 0 ? pageText('via.none') : via.map(({ name }) => name).join(' › ');
  return (
    <>
      <Cell narrow={NARROW.person} title={person}>
        <Link to="/people/$id" params={{ id: identity.id }}>
          <bdi>{person}</bdi>
        </Link>
      </Cell>
      <Cell narrow={NARROW.via} title={way}>
        {way}
      </Cell>
      <Cell>{start === null ? '–' : day(start)}</Cell>
      <Cell narrow={end === null ? undefined : NARROW.end} label={pageText('end')}>
        {end === null ? '–' : day(end)}
      </Cell>
    </>
  );
}
