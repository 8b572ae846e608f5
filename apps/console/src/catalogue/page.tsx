import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { accessCountQuery, accessListQuery } from '../service/access/queries.ts';
import { ACCESS_TYPES, type AccessSearch, parseAccessSearch } from '../service/access/search.ts';
import { useApi } from '../service/api.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Filters } from '../ui/fields/filters.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Heading } from '../ui/heading.tsx';
import { Rows } from './rows.tsx';
import { CATALOGUE_TEXTS } from './texts.ts';

/** All roles, access profiles or entitlements, or those whose name contains the text in the address of the page. */
export function CataloguePage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(CATALOGUE_TEXTS);
  const search = useSearch({ from: '/access' });
  const navigate = useNavigate({ from: '/access' });
  const type = search.type ?? 'ROLE';
  const api = useApi();
  const access = useInfiniteQuery(accessListQuery(api, search));
  const items = access.data?.pages.flatMap((page) => page.items) ?? [];
  // Beside the list, which need not wait for it.
  const total = useQuery(accessCountQuery(api, search)).data ?? null;
  const change = (part: AccessSearch) =>
    navigate({ search: (present) => parseAccessSearch({ ...present, ...part }), replace: true });
  const readMore = () => {
    if (access.hasNextPage && !access.isFetchingNextPage && !access.isError) access.fetchNextPage();
  };
  return (
    <>
      <Heading title={text('nav.access')}>
        <p role="status">
          {total === null ? access.isPending && text('state.loading') : pageText(`count.${type}`, { count: total })}
        </p>
      </Heading>
      <Filters active={Object.keys(search).length}>
        <SelectField
          label={pageText('kind')}
          value={type}
          options={ACCESS_TYPES.map((value) => ({ value, label: pageText(value) }))}
          onChange={(chosen) => change({ type: chosen })}
        />
        <SearchField
          label={pageText('search')}
          value={search.text ?? ''}
          onChange={(sought) => change({ text: sought })}
        />
      </Filters>
      {access.isError && <Failure error={access.error} onRetry={access.refetch} />}
      {access.isSuccess && items.length === 0 && (
        <Empty title={pageText('none')}>
          <p>{pageText(search.text === undefined ? 'empty.text' : 'none.text')}</p>
        </Empty>
      )}
      {items.length > 0 && (
        <Rows type={type} items={items} total={total} hasMore={access.hasNextPage} onEnd={readMore} />
      )}
    </>
  );
}
