import { type Account, filter } from '@access-admin/client';
import { pick, textOf } from '../search-parts.ts';
import { hasSearchLength } from '../violation-search.ts';

/** How accounts came to their identities, those that wait for somebody first. */
export const LINKS: readonly Account['correlation'][] = ['NONE', 'AMBIGUOUS', 'MANUAL', 'RULE'];

/** What the address of the list of sources says. */
export interface SourcesSearch {
  /** Whether the form of a new source is open. */
  readonly create?: 'source';
}

/** The search of an address; parts that are not understood are left out. */
export const parseSourcesSearch = ({ create }: Readonly<Record<string, unknown>>): SourcesSearch =>
  pick('create', ['source'] as const, create);

/** Which accounts the page of a source shows, as its address says it: all without a filter. */
export interface SourceSearch {
  readonly link?: Account['correlation'];
  /** A part of the name of an account. */
  readonly text?: string;
  /** The key of the account that is open. */
  readonly account?: string;
  /** The id of the load that is open; `new` for a file to load. */
  readonly load?: string;
}

/** The search of an address; parts that are not understood are left out. */
export const parseSourceSearch = ({ link, text, account, load }: Readonly<Record<string, unknown>>): SourceSearch => ({
  ...pick('link', LINKS, link),
  ...textOf('text', text),
  ...textOf('account', account),
  ...textOf('load', load),
});

/** The filters of the list of accounts that a search of a source stands for. A short text is sought at the beginning only. */
export function filtersOfAccounts(source: string, { link, text = '' }: SourceSearch): string {
  const sought = text.trim();
  const parts = [
    filter`source eq ${source}`,
    ...(link === undefined ? [] : [filter`correlation eq ${link}`]),
    ...(sought === '' ? [] : [hasSearchLength(sought) ? filter`name co ${sought}` : filter`name sw ${sought}`]),
  ];
  return parts.join(' and ');
}
