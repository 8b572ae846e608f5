import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import { CURSOR_LIST_OFFSET_MAX, PAGE_LIMIT_MAX, PAGE_OFFSET_MAX } from '../limits.ts';

/** Which rows of a list a caller asks for, and whether it wants the number of all of them. */
export interface PageQuery {
  readonly limit: number;
  readonly offset: number;
  readonly count: boolean;
}

/** Parses `limit`, `offset` and `count`. */
export function parsePage(
  query: URLSearchParams,
  { cursor }: { readonly cursor: boolean },
): Result<PageQuery, Failure> {
  const limit = singleOf(query, 'limit') ?? String(PAGE_LIMIT_MAX);
  const offset = singleOf(query, 'offset') ?? '0';
  const count = singleOf(query, 'count') ?? 'false';
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > PAGE_LIMIT_MAX)
    return illegal('limit', `a whole number from 1 to ${PAGE_LIMIT_MAX}`);
  const offsetMax = cursor ? CURSOR_LIST_OFFSET_MAX : PAGE_OFFSET_MAX;
  if (!/^\d{1,10}$/.test(offset) || Number(offset) > offsetMax)
    return illegal('offset', `a whole number from 0 to ${offsetMax}`, cursor ? BEYOND : '');
  if (count !== 'true' && count !== 'false') return illegal('count', 'true or false');
  return ok({ limit: Number(limit), offset: Number(offset), count: count === 'true' });
}

/** The value of a parameter, null without one; empty, and so illegal, if it is given more than once. */
function singleOf(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  return values.length > 1 ? '' : (values[0] ?? null);
}

const BEYOND = ': for rows beyond, follow `Link`, whose `cursor` begins the next page';

const illegal = (name: string, rule: string, hint = '') =>
  fail(failure('IllegalValue', name, `must be ${rule}, given once${hint}`));
