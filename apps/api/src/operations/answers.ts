import type { PageQuery } from '@access-admin/contract';
import { ok, type Result } from '@access-admin/domain';
import type { Semaphore } from '@access-admin/scheduling';
import type { ApiFailure } from '../http/problem.ts';
import { answerCursorList as answer, type CursorSource } from '../routes/answers/cursor-list.ts';
import { etagOf } from '../routes/answers/etag.ts';
import { type ListSource, linkToNext, repeatedOf } from '../routes/answers/list.ts';
import type { CheckedRequest, OperationResult } from './operation.ts';

/** A request for a page of a list. */
export interface ListRequest extends Pick<CheckedRequest, 'c' | 'caller'> {
  readonly query: { readonly page: PageQuery };
}

/** Answers one page of a list: a bare array, `Link` to the next page, `X-Total-Count` when asked for. */
export async function answerList<T>(
  request: ListRequest,
  _baseAddress: string,
  source: ListSource<T>,
): Promise<Result<OperationResult, never>> {
  const { c, query } = request;
  const { limit, offset, count } = query.page;
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
  return ok({ ...(source.write === undefined ? { json: page } : { text: { pieces: source.write(page) } }), headers });
}

const REPEATED = ['filters', 'sorters', 'change', 'policyId'];

/** A request for a page of a list that has cursors. */
export interface CursorListRequest extends ListRequest {
  readonly query: ListRequest['query'] & { readonly cursor: string | null };
}

export interface CursorListDeps {
  readonly baseAddress: string;
  readonly counting: Semaphore;
}

export async function answerCursorList(
  request: CursorListRequest,
  _deps: CursorListDeps,
  source: CursorSource,
): Promise<Result<OperationResult, ApiFailure>> {
  const answered = await answer(request.c, request.query, source);
  return answered instanceof Response ? ok({ response: answered }) : answered;
}

export const withEtag = (resource: unknown, headers: OperationResult['headers'] = {}): Result<OperationResult, never> =>
  ok({ json: resource, headers: { ...headers, etag: etagOf(resource) } });
