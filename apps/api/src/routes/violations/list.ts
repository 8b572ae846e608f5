import { ok, type Result } from '@access-admin/domain';
import { type RegisterCondition, sortKeysOf, type ViolationStore } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import { answerCursorList, type CursorListDeps } from '../../operations/answers.ts';
import type { OperationRequest, OperationResult } from '../../operations/operation.ts';
import type { ListOrder } from '../answers/cursor.ts';

export interface ListDeps extends CursorListDeps {
  readonly violations: Pick<ViolationStore, 'list'>;
  readonly now: () => Date;
}

/** Answers a page of violations that also meet `always`. */
export async function answerViolations(
  request: OperationRequest<'list-violations-v1' | 'list-my-violations-v1'>,
  always: readonly RegisterCondition[],
  { violations: store, now, ...deps }: ListDeps,
): Promise<Result<OperationResult, ApiFailure>> {
  const { tenant } = request.caller;
  const { filters, sorters } = request.query;
  const query = { conditions: [...filters, ...always], sorters };
  const order: ListOrder = {
    keys: sortKeysOf(query),
    isValue: (column, value) => IS_VALUE[column]?.(value) ?? false,
  };
  return answerCursorList(request, deps, {
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

const IS_VALUE: Readonly<Record<string, (value: unknown) => boolean>> = {
  level_rank: (value) => value === 1 || value === 2 || value === 3 || value === 4,
  created: isInstant,
  modified: isInstant,
  id: (value) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value),
};
