import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import { type ConditionOf, type FilterFields, parseFilters } from './filters.ts';
import { parseIncludes } from './includes.ts';
import { onceOf } from './once-of.ts';
import { type PageQuery, parsePage } from './page.ts';
import { parseSorters, type Sorter } from './sorters.ts';

/** A query parameter of one operation, beyond those that many have. */
export interface QueryParameter<T = unknown> {
  readonly description: string;
  /** The accepted values, as the document lists them; any text if left out. */
  readonly values?: readonly string[];
  /** Restricts the parameter to whole numbers; any text if omitted. */
  readonly range?: { readonly minimum: number; readonly maximum: number };
  /** Parses the parameter out of the whole query, as some count only beside another. */
  readonly parse: (query: URLSearchParams) => Result<T, Failure>;
}

/** What an operation takes in its query. */
export interface QueryColumns {
  /** Whether the operation is a list with `limit`, `offset` and `count`. */
  readonly list: boolean;
  /** The fields that `filters` can compare; empty without that parameter. */
  readonly filters: FilterFields;
  /** The fields that `sorters` can name; empty without that parameter. */
  readonly sorters: readonly string[];
  /** Whether `sorters` may also be spelled `sort`. */
  readonly sort: boolean;
  /** Whether pages beyond the first are found by a `cursor`. */
  readonly cursor: boolean;
  /** The values of `include`, each of which adds a part to the response; empty without that parameter. */
  readonly includes: readonly string[];
  /** Further query parameters, by name. */
  readonly query: Readonly<Record<string, QueryParameter>>;
}

interface Parsed<O extends QueryColumns> {
  readonly page: PageQuery;
  readonly filters: readonly ConditionOf<O['filters']>[];
  readonly sorters: readonly Sorter<O['sorters'][number]>[];
  /** The text of `cursor`, null without one. What it means depends on the order of the list. */
  readonly cursor: string | null;
  readonly include: readonly O['includes'][number][];
}

type Given<O extends QueryColumns> =
  | (O['list'] extends true ? 'page' : never)
  | ([keyof O['filters']] extends [never] ? never : 'filters')
  | (O['sorters'] extends readonly [] ? never : 'sorters')
  | (O['cursor'] extends true ? 'cursor' : never)
  | (O['includes'] extends readonly [] ? never : 'include');

type ValueOf<P> = P extends QueryParameter<infer T> ? T : never;

/** The query of an operation, parsed: one member for each thing that the operation takes. */
export type ParsedQuery<O extends QueryColumns> = Pick<Parsed<O>, Given<O>> & {
  readonly [Name in keyof O['query']]: ValueOf<O['query'][Name]>;
};

/** Parses the query of one operation. */
export type QueryParser<O extends QueryColumns> = (query: URLSearchParams) => Result<ParsedQuery<O>, Failure>;

/**
 * The parser of an operation's query. Of several faults it reports the first, in the order of filters, sorters, page, cursor,
 * further parameters and includes. Parameters that the operation does not take are ignored.
 */
export function createQueryParser<O extends QueryColumns>(operation: O): QueryParser<O> {
  const parsers = [...parsersOf(operation)];
  return (query) => {
    const parsed: Record<string, unknown> = {};
    for (const [name, parse] of parsers) {
      const result = parse(query);
      if (!result.ok) return result;
      parsed[name] = result.value;
    }
    return ok(parsed as ParsedQuery<O>);
  };
}

type Parser = (query: URLSearchParams) => Result<unknown, Failure>;

/** The parsers of what an operation takes, by name and in their order. */
function parsersOf(operation: QueryColumns): ReadonlyMap<string, Parser> {
  const { list, filters, sorters, sort, cursor, includes, query: parameters } = operation;
  const parsers = new Map<string, Parser>();
  if (Object.keys(filters).length > 0) parsers.set('filters', (query) => parseFiltersOf(query, filters));
  if (sorters.length > 0) parsers.set('sorters', (query) => parseSortersOf(query, sorters, sort));
  if (list) parsers.set('page', (query) => parsePage(query, { cursor }));
  if (cursor) parsers.set('cursor', (query) => onceOf(query, 'cursor'));
  for (const [name, { parse }] of Object.entries(parameters)) parsers.set(name, parse);
  if (includes.length > 0) parsers.set('include', (query) => parseIncludes(query.getAll('include'), includes));
  return parsers;
}

function parseFiltersOf(query: URLSearchParams, fields: FilterFields): Result<readonly unknown[], Failure> {
  const text = onceOf(query, 'filters');
  if (!text.ok) return text;
  return text.value === null ? ok([]) : parseFilters(text.value, fields);
}

function parseSortersOf(
  query: URLSearchParams,
  fields: readonly string[],
  hasSort: boolean,
): Result<readonly unknown[], Failure> {
  const given = [...query.getAll('sorters'), ...(hasSort ? query.getAll('sort') : [])];
  if (given.length > 1)
    return fail(failure('IllegalValue', 'sorters', `must be given once${hasSort ? ', as sorters or as sort' : ''}`));
  return given[0] === undefined ? ok([]) : parseSorters(given[0], fields);
}
