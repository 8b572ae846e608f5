import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { Page, Place } from '@access-admin/store';
import { addressOf } from '../../auth/base-address.ts';
import { pathOf } from '../../http/request-target.ts';
import type { OperationRequest, OperationResult } from '../../operations/request.ts';
import { type ListOrder, parseCursor, writeCursor } from './cursor.ts';
import { parseListQuery, queryOf } from './list.ts';

/** A page of a list that has cursors. */
export interface PageOfRows {
  readonly rows: readonly unknown[];
  /** The place after which the next page begins; null at the end. */
  readonly next: Place | null;
  /** How many rows there are in all, as of the same instant; left out where the source counts them apart. */
  readonly total?: number | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The page that is asked for. */
export interface CursorPage extends Page {
  readonly after: Place | null;
  /** Whether the number of all rows is asked for. */
  readonly isCounted: boolean;
}

/** The rows of a list in an order. */
export interface CursorSource {
  readonly order: ListOrder;
  readonly read: (page: CursorPage) => Promise<Result<PageOfRows, Failure>>;
  /** Left out where `read` tells the total. */
  readonly count?: () => Promise<number>;
}

/** Answers one page of a list. The link to the next page has a cursor in place of an offset. */
export async function answerCursorList(
  request: OperationRequest,
  baseAddress: string,
  { order, read, count: countRows }: CursorSource,
): Promise<Result<OperationResult, Failure>> {
  const given = queryOf(request);
  const page = parseListQuery(given);
  if (!page.ok) return page;
  const after = parseCursor(given, order);
  if (!after.ok) return after;
  const { limit, offset, count } = page.value;
  if (offset > 0 && after.value !== null)
    return fail(failure('IllegalValue', 'offset', 'must be 0, or left out, with a cursor'));
  const found = await read({ limit, offset, after: after.value, isCounted: count });
  if (!found.ok) return found;
  const { rows, next, total } = found.value;
  const headers: Record<string, string> = { ...found.value.headers };
  if (count) headers['x-total-count'] = String(total ?? (await countRows?.()) ?? 0);
  if (next !== null) {
    const parameters = new URLSearchParams({
      ...Object.fromEntries([...given].filter(([name]) => REPEATED.includes(name))),
      limit: String(limit),
      cursor: writeCursor(order, next),
      ...(count ? { count: 'true' } : {}),
    });
    const { exchange, caller } = request;
    headers['link'] = `<${addressOf(baseAddress, caller.tenant)}${pathOf(exchange.target)}?${parameters}>; rel="next"`;
  }
  return ok({ json: rows, headers });
}

/** The query parameters that the link to the next page repeats. */
const REPEATED = ['filters', 'sorters', 'sort'];
