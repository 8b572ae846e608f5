import type { RESERVATIONS } from '@access-admin/contract';
import { ok } from '@access-admin/domain';
import { type ReservationStore, reservationOrderOf } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import type { Input } from '../../operations/route.ts';
import { answerCursorList } from '../answers/cursor-list.ts';

/** Answers a page of reservations. */
export function answerReservations(
  c: RequestContext,
  { caller: { tenant }, query: asked }: Input<typeof RESERVATIONS.list>,
): Promise<Answer> {
  const { store, system } = c.env.services;
  const query = { conditions: asked.filters, sorters: asked.sorters, now: system.now().toISOString() };
  return answerCursorList(c, asked, {
    order: { keys: reservationOrderOf(asked.sorters), isValue },
    read: async (page) => {
      const { ids, next } = await store.reservations.list(tenant, query, page);
      return ok({ rows: ids, next });
    },
    count: async () => ({ count: await store.reservations.count(tenant, query), isExact: true }),
    write: (ids) => readInPieces(store.reservations, { tenant, ids, now: query.now }),
  });
}

const isValue = (column: string, value: unknown) =>
  typeof value === 'string' &&
  (column === 'id' ? /^[0-9a-f-]{36}$/ : /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/).test(value);

// A reservation has up to half a megabyte, and the names of thousands of policies in rare cases.
const AT_ONCE = 10;

async function* readInPieces(
  { read }: Pick<ReservationStore, 'read'>,
  { tenant, ids, now }: { readonly tenant: string; readonly ids: readonly string[]; readonly now: string },
): AsyncGenerator<string> {
  let opening = '[';
  for (let start = 0; start < ids.length; start += AT_ONCE)
    for (const reservation of await read(tenant, ids.slice(start, start + AT_ONCE), now)) {
      yield opening + JSON.stringify(reservation);
      opening = ',';
    }
  yield opening === '[' ? '[]' : ']';
}
