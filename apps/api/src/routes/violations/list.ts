import type { VIOLATIONS } from '@access-admin/contract';
import { ok } from '@access-admin/domain';
import { type RegisterCondition, sortKeysOf } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import type { Input } from '../../operations/route.ts';
import type { ListOrder } from '../answers/cursor.ts';
import { answerCursorList } from '../answers/cursor-list.ts';

/** Answers a page of violations that also meet `always`. */
export function answerViolations(
  c: RequestContext,
  { caller: { tenant }, query: asked }: Input<typeof VIOLATIONS.list | typeof VIOLATIONS.listMine>,
  always: readonly RegisterCondition[],
): Promise<Answer> {
  const { store, system } = c.env.services;
  const query = { conditions: [...asked.filters, ...always], sorters: asked.sorters };
  const order: ListOrder = {
    keys: sortKeysOf(query),
    isValue: (column, value) => IS_VALUE[column]?.(value) ?? false,
  };
  return answerCursorList(c, asked, {
    order,
    read: async (page) => {
      const now = system.now().toISOString();
      const { violations, next, total, asOf } = await store.violations.list(tenant, { ...query, now }, page);
      return ok({ rows: violations, next, total, headers: asOf === null ? {} : { 'x-as-of': asOf } });
    },
  });
}

const isInstant = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

const IS_VALUE: Readonly<Record<string, (value: unknown) => boolean>> = {
  level_rank: (value) => value === 1 || value === 2 || value === 3 || value === 4,
  created: isInstant,
  modified: isInstant,
  id: (value) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value),
};
