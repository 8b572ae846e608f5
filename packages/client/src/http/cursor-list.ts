import type { PageOptions } from './list.ts';
import type { ApiRequest, Transport } from './transport.ts';

/** Which page of a list with cursors to read. */
export interface CursorOptions extends PageOptions {
  /** `next` of the page before, which had the same filters and sorters; in place of an offset. */
  readonly cursor?: string | undefined;
}

/** A part of a list with cursors. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  /** Size of the whole list; null without `count`. */
  readonly total: number | null;
  /** Whether `total` is exact, or a lower bound beyond 10,000; null without `count`. */
  readonly totalIs: 'exact' | 'at-least' | null;
  /** `cursor` of the next page; null where there is none. */
  readonly next: string | null;
}

/** Reads one page of a list with cursors, and the headers of the answer. */
export async function readCursorPage<T>(
  transport: Transport,
  request: Pick<ApiRequest, 'path' | 'query'>,
  options: CursorOptions = {},
): Promise<{ readonly page: CursorPage<T>; readonly headers: Headers }> {
  const { limit, offset, count, cursor } = options;
  const query = { ...request.query, limit, offset, count, cursor };
  const { value, headers } = await transport.call<readonly T[]>({ ...request, method: 'GET', query, options });
  const total = headers.get('x-total-count');
  const isAtLeast = headers.get('x-total-count-is') === 'at-least';
  const totalIs = total === null ? null : isAtLeast ? 'at-least' : 'exact';
  const next = /[?&]cursor=([\w-]+)[^>]*>;\s*rel="?next"?/i.exec(headers.get('link') ?? '')?.[1] ?? null;
  return { page: { items: value, total: total === null ? null : Number(total), totalIs, next }, headers };
}

/** Iterates over a whole list, page by page. The first request is sent when the iteration starts. */
export async function* iteratePages<T>(
  read: (options: { readonly cursor: string | undefined }) => Promise<CursorPage<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: CursorPage<T> = await read({ cursor });
    yield* page.items;
    cursor = page.next;
  }
}
