import { type Failure, ok, type Result } from '@access-admin/domain';
import { type RegisterCondition, sortKeysOf, type ViolationStore } from '@access-admin/store';
import type { OperationRequest, OperationResult } from '../../operations/request.ts';
import type { ListOrder } from '../answers/cursor.ts';
import { answerCursorList } from '../answers/cursor-list.ts';
import { queryOf } from '../answers/list.ts';
import { parseViolationQuery } from './query.ts';

export interface ListDeps {
  readonly violations: Pick<ViolationStore, 'list'>;
  readonly baseAddress: string;
  readonly now: () => Date;
}

/** Answers a page of violations that also meet `always`. */
export async function answerViolations(
  request: OperationRequest,
  always: readonly RegisterCondition[],
  { violations: store, baseAddress, now }: ListDeps,
): Promise<Result<OperationResult, Failure>> {
  const asked = parseViolationQuery(queryOf(request));
  if (!asked.ok) return asked;
  const { tenant } = request.caller;
  const query = { ...asked.value, conditions: [...asked.value.conditions, ...always] };
  const order: ListOrder = {
    keys: sortKeysOf(query),
    isValue: (column, value) => IS_VALUE[column as keyof typeof IS_VALUE](value),
  };
  return answerCursorList(request, baseAddress, {
    order,
    read: async (page) => {
      const time = now().toISOString();
      const { violations, next, total, asOf } = await store.list(tenant, { ...query, now: time }, page);
      return ok({ rows: violations, next, total, headers: asOf === null ? {} : { 'x-as-of': asOf } });
    },
  });
}

const isInstant = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

const IS_VALUE = {
  level_rank: (value: unknown) => value === 1 || value === 2 || value === 3 || value === 4,
  created: isInstant,
  modified: isInstant,
  id: (value: unknown) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value),
} as const;
