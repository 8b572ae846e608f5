import type { PageQuery } from '@access-admin/contract';
import type { Page } from '@access-admin/store';
import { tenantAddress } from '../../auth/base-address.ts';
import type { RequestContext } from '../../env.ts';
import { callerOf } from '../../http/caller.ts';
import { pathOf, queryOf, targetOf } from '../../http/target.ts';
import { type LongText, streamJson } from '../../streaming/stream-json.ts';

/** The rows of a list. */
export interface ListSource<T> {
  /** Called with one row more than the page has. */
  readonly list: (page: Page) => Promise<readonly T[]>;
  readonly count: () => Promise<number>;
  /** Writes rows that are too large to be in memory together; without it, they are converted to JSON as they are. */
  readonly write?: (rows: readonly T[]) => LongText['pieces'];
  /** What `write` makes; JSON if left out. */
  readonly mediaType?: 'application/x-ndjson';
}

/** Answers one page of a list: a bare array, `Link` to the next page, `X-Total-Count` when asked for. */
export async function answerList<T>(
  c: RequestContext,
  { limit, offset, count }: PageQuery,
  source: ListSource<T>,
): Promise<Response> {
  const rows = await source.list({ limit: limit + 1, offset });
  const headers: Record<string, string> = {};
  if (count) headers['x-total-count'] = String(await source.count());
  if (rows.length > limit) {
    const next = repeatedOf(c, REPEATED);
    next.set('limit', String(limit));
    next.set('offset', String(offset + limit));
    if (count) next.set('count', 'true');
    headers['link'] = linkToNext(c, next);
  }
  const page = rows.slice(0, limit);
  const { write, mediaType } = source;
  if (mediaType !== undefined) headers['content-type'] = mediaType;
  return streamJson(c, write === undefined ? JSON.stringify(page) : { pieces: write(page) }, headers);
}

/** The query parameters that the link to the next page repeats. */
const REPEATED = ['filters', 'sorters', 'change', 'policyId'];

/** The parameters of a query that have these names, each once. */
export const repeatedOf = (c: RequestContext, names: readonly string[]): URLSearchParams =>
  new URLSearchParams(Object.fromEntries([...queryOf(c)].filter(([name]) => names.includes(name))));

/** The header `Link` to the next page of a list. */
export function linkToNext(c: RequestContext, query: URLSearchParams): string {
  const address = tenantAddress(c.env.services.config.baseAddress, callerOf(c).tenant);
  return `<${address}${pathOf(targetOf(c))}?${query}>; rel="next"`;
}
