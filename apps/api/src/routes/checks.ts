import { CHECKS } from '@access-admin/contract';
import { ok } from '@access-admin/domain';
import { CHECK_ORDER } from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { route } from '../operations/route.ts';
import type { ListOrder } from './answers/cursor.ts';
import { answerCursorList } from './answers/cursor-list.ts';
import { answerReceipt } from './checks/receipt.ts';
import { answerCheck, startCheck } from './checks/start.ts';

/** Asynchronous checks for violations. */
export const checks = () =>
  new Hono<ApiEnv>()
    .on(...route(CHECKS.start, startCheck))
    .on(
      ...route(CHECKS.list, (c, { caller: { tenant }, query }) => {
        const { checks } = c.env.services.store;
        return answerCursorList(c, query, {
          order: NEWEST_FIRST,
          read: async (page) => {
            const { checks: rows, next } = await checks.list(tenant, query.filters, page);
            return ok({ rows, next });
          },
          count: async () => ({ count: await checks.count(tenant, query.filters), isExact: true }),
        });
      }),
    )
    .on(...route(CHECKS.get, answerCheck))
    .on(...route(CHECKS.receipt, answerReceipt));

const NEWEST_FIRST: ListOrder = {
  keys: CHECK_ORDER,
  isValue: (column, value) =>
    typeof value === 'string' &&
    (column === 'created' ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ : /^[0-9a-f-]{36}$/).test(value),
};
