import type { Source } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { accountCountsQuery } from '../service/sources/queries.ts';
import { Mark } from '../ui/mark.tsx';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import { LongTable } from '../ui/tables/long-table.tsx';
import { SOURCES_TEXTS } from './texts.ts';

const HEADS = ['name', 'authoritative', 'accounts', 'none', 'ambiguous'] as const;

/** On a narrow screen. */
const NARROW: Partial<Record<(typeof HEADS)[number], NarrowPlace>> = {
  name: 'title',
  authoritative: 'mark',
  accounts: 'line',
  none: 'end',
};

const isCount = (head: (typeof HEADS)[number]): boolean => ['accounts', 'none', 'ambiguous'].includes(head);

/** The sources as a table, each with the counts of its accounts. */
export function Rows({ sources }: { readonly sources: readonly Source[] }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(SOURCES_TEXTS);
  return (
    <LongTable
      label={text('nav.sources')}
      heads={HEADS.map((head) => ({ label: pageText(head), isNumber: isCount(head), narrow: NARROW[head] }))}
      items={sources}
      total={sources.length}
      hasMore={false}
      onEnd={() => {}}
    >
      {(source) => <Cells source={source} />}
    </LongTable>
  );
}

function Cells({ source: { id, name, authoritative } }: { readonly source: Source }) {
  const { number } = useSpeech();
  const pageText = usePageTexts(SOURCES_TEXTS);
  const counts = useQuery(accountCountsQuery(useApi(), id)).data;
  const linkedCount = (count: number | undefined, link: 'NONE' | 'AMBIGUOUS') =>
    count ? (
      <Link to="/sources/$id" params={{ id }} search={{ link }}>
        {number(count)}
        <span className="away"> {name}</span>
      </Link>
    ) : (
      shown(count)
    );
  const shown = (count: number | undefined) => (count === undefined ? '–' : number(count));
  return (
    <>
      <Cell narrow={NARROW.name} title={name}>
        <Link to="/sources/$id" params={{ id }}>
          <bdi>{name}</bdi>
        </Link>
      </Cell>
      <Cell narrow={NARROW.authoritative}>{authoritative && <Mark>{pageText('authoritative')}</Mark>}</Cell>
      <Cell narrow={NARROW.accounts} label={pageText('accounts')} isNumber>
        {shown(counts?.all)}
      </Cell>
      <Cell narrow={NARROW.none} label={pageText('none')} isNumber>
        {linkedCount(counts?.none, 'NONE')}
      </Cell>
      <Cell isNumber>{linkedCount(counts?.ambiguous, 'AMBIGUOUS')}</Cell>
    </>
  );
}
