import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { peopleListQuery, peopleOf } from '../service/people/queries.ts';
import { parsePeopleSearch } from '../service/people/search.ts';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { Heading } from '../ui/heading.tsx';
import { NewPersonButtons } from './new-person-button.tsx';
import { Rows } from './rows.tsx';
import { PEOPLE_TEXTS } from './texts.ts';

/** All people, or the people whose name, username or email address contains the text in the address of the page. */
export function PeoplePage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(PEOPLE_TEXTS);
  const search = useSearch({ from: '/people' });
  const navigate = useNavigate({ from: '/people' });
  const api = useApi();
  const me = useQuery(sessionQuery(api));
  const mayCreate = me.data !== undefined && missingRight('create', me.data) === null;
  const people = useInfiniteQuery(peopleListQuery(api, search));
  const items = peopleOf(people.data?.pages ?? []);
  // While a search has more pages, only the number of people read so far is known.
  const total = people.data?.pages[0]?.total ?? (people.hasNextPage ? null : items.length);
  const hasNone = people.isSuccess && items.length === 0 && !people.hasNextPage;
  const seek = (sought: string) =>
    navigate({ search: (present) => parsePeopleSearch({ ...present, text: sought }), replace: true });
  const readMore = () => {
    if (people.hasNextPage && !people.isFetchingNextPage && !people.isError) people.fetchNextPage();
  };
  return (
    <>
      <Heading title={pageText('title')} ways={mayCreate && <NewPersonButtons />}>
        <p role="status">
          {people.data === undefined
            ? people.isPending && text('state.loading')
            : pageText(total === null ? 'more' : 'count', { count: total ?? items.length })}
        </p>
      </Heading>
      <SearchField label={pageText('search')} value={search.text ?? ''} onChange={seek} />
      {people.isError && <Failure error={people.error} onRetry={people.refetch} />}
      {hasNone &&
        (search.text === undefined ? (
          <Empty title={pageText('empty')}>
            <p>{pageText('empty.text')}</p>
          </Empty>
        ) : (
          <Empty title={pageText('none')}>
            <p>{pageText('none.text')}</p>
            <button type="button" className="button" onClick={() => seek('')}>
              {pageText('none.clear')}
            </button>
          </Empty>
        ))}
      {people.data !== undefined && !hasNone && (
        <Rows items={items} total={total} hasMore={people.hasNextPage} onEnd={readMore} />
      )}
    </>
  );
}
