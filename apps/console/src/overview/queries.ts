import type { AccessAdminClient, SodException, SodViolation } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';
import { readNowMs } from '../service/clock.ts';
import { type NamedException, nameAll } from '../service/exceptions/queries.ts';
import { ENDING_DAYS, exceptionFiltersOf } from '../service/exceptions/search.ts';
import { countOf } from '../service/queries.ts';
import { filtersOf, type ViolationSearch } from '../service/violation-search.ts';

/** How many of each kind the overview names. */
const NAMED_MAX = 3;
/** How many exceptions that end soon it names. */
const ENDING_MAX = 5;
/** As many exceptions as are put in order. The service lists them by their ids. */
const ORDERED_MAX = 250;
/** As many requests as are read in order to find those that a person may approve. */
const READ_MAX = 1_000;

/** Some of many. */
export interface Some<Item> {
  readonly items: readonly Item[];
  /** How many there are, or how many there are at least where it is not exact. */
  readonly count: number;
  readonly isExact: boolean;
}

/**
 * The requests of exceptions that a person may approve: neither asked for by the person nor about the person. No filter of the service
 * says that, so the first thousand requests are read and counted.
 */
export const waitingForQuery = (api: AccessAdminClient, identityId: string) =>
  queryOptions({
    queryKey: ['exceptions', 'waiting-for', identityId],
    queryFn: async ({ signal }): Promise<Some<NamedException>> => {
      const filters = exceptionFiltersOf({}, readNowMs());
      const found: SodException[] = [];
      let read = 0;
      let isExact = true;
      for await (const each of api.sodExceptions.list({ filters, signal })) {
        isExact = read < READ_MAX;
        if (!isExact) break;
        if (![each.requesterId, each.identityId].includes(identityId)) found.push(each);
        read += 1;
      }
      const first = found.toSorted(by('created')).slice(0, NAMED_MAX);
      return { items: await nameAll(api, first, signal), count: found.length, isExact };
    },
  });

/** The approved exceptions that end within 30 days, the first of them by their end. */
export const endingQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['exceptions', 'ending', ENDING_DAYS],
    queryFn: async ({ signal }): Promise<Some<NamedException>> => {
      const filters = exceptionFiltersOf({ state: 'APPROVED', ending: true }, readNowMs());
      const { items, total } = await api.sodExceptions.page({ filters, limit: ORDERED_MAX, count: true, signal });
      const first = items.toSorted(by('end')).slice(0, ENDING_MAX);
      return { items: await nameAll(api, first, signal), count: total ?? items.length, isExact: true };
    },
  });

/** The first violations of a search, and the number of all; of those that the session owns where it may read no others. */
export const firstViolationsQuery = (api: AccessAdminClient, search: ViolationSearch) =>
  queryOptions({
    queryKey: ['violations', 'first', search],
    queryFn: async ({ signal }): Promise<Some<SodViolation>> => {
      const { page, pageMine } = api.violations;
      const options = { filters: filtersOf(search, readNowMs()), sorters: search.sort, limit: NAMED_MAX, count: true };
      const { items, ...rest } = await (search.mine === true ? pageMine : page)({ ...options, signal });
      return { items, ...(countOf(rest) ?? { count: items.length, isExact: true }) };
    },
  });

const by =
  (field: 'created' | 'end') =>
  (one: SodException, other: SodException): number =>
    one[field] < other[field] ? -1 : one[field] > other[field] ? 1 : 0;
