import { hash } from 'node:crypto';
import { type FoundPage, SEARCH_LIMIT_DEFAULT, SEARCH_LIMIT_MAX, type SearchPage } from '@access-admin/contract';
import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';

/** Where a page of a search begins, and how long it may be. */
export interface SearchPart {
  /** What the token of a page is of. */
  readonly search: string;
  readonly limit: number;
  /** The key of the last result before the page; empty for the first one. */
  readonly after: string;
}

/** The page of a search that is asked for; `IllegalValue` for a token of another search or limit. */
export function partOf(question: object, { token, limit }: SearchPage): Result<SearchPart, Failure> {
  const search = hash('sha256', JSON.stringify(question), 'base64url');
  if (token === null) return ok({ search, limit: limit ?? SEARCH_LIMIT_DEFAULT, after: '' });
  const [ofSearch, ofLimit, after] = valuesOf(token);
  const isOfSearch = ofSearch === search && (limit === null || limit === ofLimit);
  const isLimit = typeof ofLimit === 'number' && ofLimit >= 1 && ofLimit <= SEARCH_LIMIT_MAX;
  return isOfSearch && isLimit && typeof after === 'string' ? ok({ search, limit: ofLimit, after }) : ILLEGAL;
}

const ILLEGAL = fail(
  failure('IllegalValue', 'page.token', 'must be the next_token of an answer to this search with this limit'),
);

function valuesOf(token: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    // Only what is written like this was written by the service.
    return Array.isArray(values) && Buffer.from(token, 'base64url').toString('base64url') === token ? values : [];
  } catch {
    return [];
  }
}

const writeToken = ({ search, limit }: SearchPart, after: string): string =>
  Buffer.from(JSON.stringify([search, limit, after])).toString('base64url');

/** The answer of a page. The next one begins after `next`; null where there is none. */
export function foundPage<T>(part: SearchPart, results: readonly T[], next: string | null): FoundPage<T> {
  return { page: { next_token: next === null ? '' : writeToken(part, next), count: results.length }, results };
}

/** The page of sorted keys that are all known. */
export function pageOfAll<T>(part: SearchPart, keys: readonly string[], toResult: (key: string) => T): FoundPage<T> {
  const { after, limit } = part;
  const rest = keys.filter((key) => key > after);
  const shown = rest.slice(0, limit);
  return foundPage(part, shown.map(toResult), rest.length > limit ? (shown.at(-1) ?? null) : null);
}
