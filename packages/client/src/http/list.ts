import type { ApiRequest, CallOptions, ParsedResponse, Transport } from './transport.ts';

/** Which part of a list to read. */
export interface PageOptions extends CallOptions {
  /** 1 to 250, the default. */
  readonly limit?: number | undefined;
  /** How many items to skip. */
  readonly offset?: number | undefined;
  /** Whether the page has `total`. */
  readonly count?: boolean | undefined;
}

/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Size of the whole list; null without `count`. */
  readonly total: number | null;
  /** Whether there are items beyond these. */
  readonly more: boolean;
}

/** Reads one page of a list. */
export async function readPage<T>(
  transport: Transport,
  request: Pick<ApiRequest, 'path' | 'experimental' | 'query'>,
  options: PageOptions | undefined,
): Promise<Page<T>> {
  const { limit, offset, count } = options ?? {};
  const query = { ...request.query, limit, offset, count };
  return pageOf(await transport.call<readonly T[]>({ ...request, method: 'GET', query, options }));
}

/** Reads one page of a list that the service answers as JSON lines. */
export async function readLinesPage<T>(
  transport: Transport,
  request: Pick<ApiRequest, 'path' | 'query'>,
  options: PageOptions | undefined,
): Promise<Page<T>> {
  const { limit, offset, count } = options ?? {};
  const query = { ...request.query, limit, offset, count };
  const headers = { accept: 'application/x-ndjson' };
  return pageOf(await transport.lines<T>({ ...request, method: 'GET', query, headers, options }));
}

function pageOf<T>({ value, headers }: ParsedResponse<readonly T[]>): Page<T> {
  const total = headers.get('x-total-count');
  return {
    items: value,
    total: total === null ? null : Number(total),
    more: /;\s*rel="?next"?/i.test(headers.get('link') ?? ''),
  };
}

/** Iterates over a whole list, page by page. The first request is sent when the iteration starts. */
export async function* iterateItems<T>(
  read: (page: { readonly offset: number }) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let offset = 0, more = true; more; ) {
    const page = await read({ offset });
    yield* page.items;
    offset += page.items.length;
    more = page.more && page.items.length > 0;
  }
}
