import type { Account } from '@access-admin/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameOf } from '../service/name-of.ts';
import { type AccountOfPerson, accountCountsQuery, accountsQuery } from '../service/sources/queries.ts';
import { LINKS, parseSourceSearch, type SourceSearch } from '../service/sources/search.ts';
import { Card } from '../ui/card.tsx';
import { useAddressed } from '../ui/dialogs/use-addressed.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Filters } from '../ui/fields/filters.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import link from '../ui/link.module.css';
import { Mark } from '../ui/mark.tsx';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import { LongTable } from '../ui/tables/long-table.tsx';
import { AccountDrawer } from './account-drawer.tsx';
import styles from './page.module.css';
import { SOURCE_TEXTS } from './texts.ts';

interface AccountsProps {
  /** The id of the source. */
  readonly source: string;
}

/** The accounts of a source, filtered by the address of the page, and one of them in full beside the list. */
export function Accounts({ source }: AccountsProps) {
  const pageText = usePageTexts(SOURCE_TEXTS);
  const { account, load: _, ...search } = useSearch({ from: '/sources/$id' });
  const navigate = useNavigate({ from: '/sources/$id' });
  const write = useCallback(
    (key: string | null) =>
      navigate({
        search: ({ account: _before, ...present }) => (key === null ? present : { ...present, account: key }),
      }),
    [navigate],
  );
  const [open, setOpen] = useAddressed(account ?? null, write);
  const seek = (part: Readonly<Record<string, unknown>>) =>
    navigate({ search: (present) => parseSourceSearch({ ...present, ...part }), replace: true });
  const counts = useQuery(accountCountsQuery(useApi(), source)).data;
  return (
    <Card title={pageText('accounts')}>
      {counts?.all !== 0 && (
        <Filters active={Object.keys(search).length}>
          <SelectField
            label={pageText('how')}
            value={search.link ?? ''}
            options={[
              { value: '', label: pageText('link.any') },
              ...LINKS.map((each) => ({ value: each, label: pageText(`link.${each}`) })),
            ]}
            onChange={(each) => seek({ link: each })}
          />
          <SearchField label={pageText('search')} value={search.text ?? ''} onChange={(text) => seek({ text })} />
        </Filters>
      )}
      <List source={source} search={search} onShow={setOpen} onClear={() => navigate({ search: {} })} />
      <AccountDrawer accountKey={open} onClose={() => setOpen(null)} />
    </Card>
  );
}

interface ListProps extends AccountsProps {
  readonly search: SourceSearch;
  readonly onShow: (key: string) => void;
  readonly onClear: () => void;
}

const HEADS = ['name', 'person', 'how', 'grants'] as const;

/** On a narrow screen. */
const NARROW: Partial<Record<(typeof HEADS)[number], NarrowPlace>> = {
  name: 'title',
  how: 'mark',
  person: 'line',
  grants: 'end',
};

function List({ source, search, onShow, onClear }: ListProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(SOURCE_TEXTS);
  const accounts = useInfiniteQuery(accountsQuery(useApi(), source, search));
  const { pages } = accounts.data ?? {};
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages]);
  const isAll = search.link === undefined && search.text === undefined;
  return (
    <>
      {accounts.isError && <Failure error={accounts.error} onRetry={accounts.refetch} />}
      {accounts.isPending && <p>{text('state.loading')}</p>}
      {accounts.isSuccess &&
        items.length === 0 &&
        (isAll ? (
          <Empty title={pageText('empty')}>
            <p>{pageText('empty.text')}</p>
          </Empty>
        ) : (
          <Empty title={pageText('none')}>
            <button type="button" className="button" onClick={onClear}>
              {pageText('none.all')}
            </button>
          </Empty>
        ))}
      {items.length > 0 && (
        <LongTable
          label={pageText('list')}
          heads={HEADS.map((head) => ({
            label: pageText(head),
            isNumber: head === 'grants',
            narrow: NARROW[head],
          }))}
          items={items}
          total={pages?.[0]?.total ?? null}
          hasMore={accounts.hasNextPage}
          onEnd={() => {
            if (accounts.hasNextPage && !accounts.isFetchingNextPage && !accounts.isError) accounts.fetchNextPage();
          }}
        >
          {(account) => <Cells account={account} onShow={onShow} />}
        </LongTable>
      )}
    </>
  );
}

function Cells({ account, onShow }: { readonly account: AccountOfPerson } & Pick<ListProps, 'onShow'>) {
  const { number } = useSpeech();
  const pageText = usePageTexts(SOURCE_TEXTS);
  const { key, name, disabled, access } = account;
  return (
    <>
      <Cell narrow={NARROW.name} title={name}>
        <span className={styles['name']}>
          <button type="button" className={link['link']} onClick={() => onShow(key)}>
            {name}
          </button>
          {disabled && <Mark>{pageText('disabled')}</Mark>}
        </span>
      </Cell>
      <Cell narrow={NARROW.person}>
        <Person account={account} />
      </Cell>
      <Cell narrow={NARROW.how}>
        <How {...account} />
      </Cell>
      <Cell narrow={NARROW.grants} label={pageText('grants')} isNumber>
        {number(access.length)}
      </Cell>
    </>
  );
}

/** Whose account it is, or how many people it could be of, or what its source calls it. */
function Person({ account }: { readonly account: AccountOfPerson }) {
  const { identityId, person, correlation, candidates, displayName } = account;
  const pageText = usePageTexts(SOURCE_TEXTS);
  if (identityId !== null)
    return (
      <Link to="/people/$id" params={{ id: identityId }}>
        <bdi>{nameOf(identityId, person?.displayName)}</bdi>
      </Link>
    );
  if (correlation === 'AMBIGUOUS') return pageText('candidates', { count: candidates.length });
  return correlation === 'MANUAL' ? pageText('nobody') : (displayName ?? '–');
}

/** How an account came to its person: a mark where it waits for somebody. */
function How({ correlation }: Pick<Account, 'correlation'>) {
  const pageText = usePageTexts(SOURCE_TEXTS);
  const said = pageText(`link.${correlation}`);
  return correlation === 'NONE' || correlation === 'AMBIGUOUS' ? <Mark tone="accent">{said}</Mark> : said;
}
