import { PAGE_LIMIT_MAX, PAGE_OFFSET_MAX } from '@access-admin/contract';
import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { Page } from '@access-admin/store';
import { addressOf } from '../../auth/base-address.ts';
import { pathOf, targetOf } from '../../http/target.ts';
import type { OperationRequest, OperationResult } from '../../operations/operation.ts';

/** The rows of a list. */
export interface ListSource<T> {
  /** Called with one row more than the page has. */
  readonly list: (page: Page) => Promise<readonly T[]>;
  readonly count: () => Promise<number>;
  /** Writes rows that are too large to be in memory together; without it, they are converted to JSON as they are. */
  readonly write?: (rows: readonly T[]) => Promise<string | AsyncIterable<string>>;
}

/** Answers one page of a list: a bare array, `Link` to the next page, `X-Total-Count` when asked for. */
export async function answerList<T>(
  request: OperationRequest,
  baseAddress: string,
  source: ListSource<T>,
): Promise<Result<OperationResult, Failure>> {
  const given = queryOf(request);
  const query = parseListQuery(given);
  if (!query.ok) return query;
  const { limit, offset, count } = query.value;
  const rows = await source.list({ limit: limit + 1, offset });
  const headers: Record<string, string> = {};
  if (count) headers['x-total-count'] = String(await source.count());
  if (rows.length > limit) {
    const next = new URLSearchParams({
      ...keptOf(given),
      limit: String(limit),
      offset: String(offset + limit),
      ...(count ? { count: 'true' } : {}),
    });
    headers['link'] = `<${addressOf(baseAddress, request.caller.tenant)}${pathOf(targetOf(request.c))}?${next}>; rel="next"`;
  }
  const page = rows.slice(0, limit);
  return ok({ ...(source.write === undefined ? { json: page } : { text: await source.write(page) }), headers });
}

/** The query parameters that the link to the next page repeats. */
const REPEATED = ['filters', 'sorters', 'change', 'policyId'];

const keptOf = (given: URLSearchParams) => Object.fromEntries([...given].filter(([name]) => REPEATED.includes(name)));

export const queryOf = ({ c }: Pick<OperationRequest, 'c'>): URLSearchParams =>
  new URL(targetOf(c), 'http://localhost').searchParams;

/** Parses `limit`, `offset` and `count`. */
export function parseListQuery(query: URLSearchParams): Result<Page & { readonly count: boolean }, Failure> {
  const illegal = (name: string, rule: string) => fail(failure('IllegalValue', name, `must be ${rule}, given once`));
  const one = (name: string, fallback: string) => {
    const values = query.getAll(name);
    return values.length > 1 ? '' : (values[0] ?? fallback);
  };
  const limit = one('limit', String(PAGE_LIMIT_MAX));
  const offset = one('offset', '0');
  const count = one('count', 'false');
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > PAGE_LIMIT_MAX)
    return illegal('limit', `a whole number from 1 to ${PAGE_LIMIT_MAX}`);
  if (!/^\d{1,10}$/.test(offset) || Number(offset) > PAGE_OFFSET_MAX)
    return illegal('offset', `a whole number from 0 to ${PAGE_OFFSET_MAX}`);
  if (count !== 'true' && count !== 'false') return illegal('count', 'true or false');
  return ok({ limit: Number(limit), offset: Number(offset), count: count === 'true' });
}
