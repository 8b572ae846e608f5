import type { PageQuery } from '@access-admin/contract';
import { type Failure, fail, failure, type Result } from '@access-admin/domain';
import type { Page, Position, Total } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import { callerOf } from '../../http/caller.ts';
import { requestClosed } from '../../http/connection.ts';
import { type LongText, streamJson } from '../../streaming/stream-json.ts';
import { type ListOrder, parseCursor, writeCursor } from './cursor.ts';
import { linkToNext, repeatedOf } from './list.ts';
import { noCapacity } from './no-capacity.ts';

/** The query of a list that has cursors. */
export interface CursorListQuery {
  readonly page: PageQuery;
  readonly cursor: string | null;
}

/** A page of a list that has cursors. */
export interface PageOfRows<T = unknown> {
  readonly rows: readonly T[];
  /** The position after which the next page begins; null at the end. */
  readonly next: Position | null;
  /** How many rows there are in all, as of the same instant; left out where the source counts them apart. */
  readonly total?: Total | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The page that is asked for. */
export interface CursorPage extends Page {
  readonly after: Position | null;
  /** Whether the number of all rows is asked for. */
  readonly isCounted: boolean;
}

/** The rows of a list in an order. */
export interface CursorSource<T = unknown> {
  readonly order: ListOrder;
  readonly read: (page: CursorPage) => Promise<Result<PageOfRows<T>, Failure>>;
  /** Left out where `read` tells the total. */
  readonly count?: () => Promise<Total>;
  /** Writes rows that are too large to be in memory together; without it, they are converted to JSON as they are. */
  readonly write?: (rows: readonly T[]) => LongText['pieces'];
}

/** Answers one page of a list. The link to the next page has a cursor in place of an offset. */
export async function answerCursorList<T>(
  c: RequestContext,
  query: CursorListQuery,
  source: CursorSource<T>,
): Promise<Answer> {
  if (!query.page.count) return answerPage(c, query, source);
  // One count of each tenant, and a few in all.
  const { counting } = c.env.services.semaphores;
  const slot = counting.open(callerOf(c).tenant, { signal: () => requestClosed(c) });
  const acquired = await slot.acquire();
  if (!acquired.ok) return fail(noCapacity(acquired.failure, COUNTS));
  try {
    return await answerPage(c, query, source);
  } finally {
    slot.release();
  }
}

const COUNTS = 'Lists of the tenant are being counted already: try again later, or leave out count.';

async function answerPage<T>(
  c: RequestContext,
  query: CursorListQuery,
  { order, read, count: countRows, write }: CursorSource<T>,
): Promise<Answer> {
  const { limit, offset, count } = query.page;
  const after = parseCursor(query.cursor, order);
  if (!after.ok) return after;
  if (offset > 0 && after.value !== null)
    return fail(failure('IllegalValue', 'offset', 'must be 0, or left out, with a cursor'));
  const found = await read({ limit, offset, after: after.value, isCounted: count });
  if (!found.ok) return found;
  const { rows, next, total } = found.value;
  const headers: Record<string, string> = { ...found.value.headers };
  if (count) {
    const { count: counted, isExact } = total ?? (await countRows?.()) ?? NONE;
    headers['x-total-count'] = String(counted);
    headers['x-total-count-is'] = isExact ? 'exact' : 'at-least';
  }
  if (next !== null) {
    const parameters = repeatedOf(c, REPEATED);
    parameters.set('limit', String(limit));
    parameters.set('cursor', writeCursor(order, next));
    if (count) parameters.set('count', 'true');
    headers['link'] = linkToNext(c, parameters);
  }
  return streamJson(c, write === undefined ? JSON.stringify(rows) : { pieces: write(rows) }, headers);
}

const NONE: Total = { count: 0, isExact: true };

/** The query parameters that the link to the next page repeats. */
const REPEATED = ['filters', 'sorters', 'sort'];
