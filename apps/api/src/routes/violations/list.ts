import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import { type RegisterCondition, sortKeysOf, type ViolationStore } from '@access-admin/store';
import { addressOf } from '../../auth/base-address.ts';
import { pathOf } from '../../http/request-target.ts';
import type { OperationRequest, OperationResult } from '../../operations/request.ts';
import { parseListQuery, queryOf } from '../answers/list.ts';
import { writeCursor } from './cursor.ts';
import { parsePlace, parseViolationQuery } from './query.ts';

export interface ListDeps {
  readonly violations: Pick<ViolationStore, 'list' | 'count'>;
  readonly baseAddress: string;
  readonly now: () => Date;
}

/** Answers a page of violations that also meet `always`. The link to the next page has a cursor in place of an offset. */
export async function answerViolations(
  request: OperationRequest,
  always: readonly RegisterCondition[],
  { violations: store, baseAddress, now }: ListDeps,
): Promise<Result<OperationResult, Failure>> {
  const given = queryOf(request);
  const page = parseListQuery(given);
  if (!page.ok) return page;
  const asked = parseViolationQuery(given);
  if (!asked.ok) return asked;
  const after = parsePlace(given, asked.value);
  if (!after.ok) return after;
  const { limit, offset, count } = page.value;
  if (offset > 0 && after.value !== null)
    return fail(failure('IllegalValue', 'offset', 'must be 0, or left out, with a cursor'));
  const { tenant } = request.caller;
  const query = { ...asked.value, conditions: [...asked.value.conditions, ...always] };
  const time = now().toISOString();
  const { violations, next, asOf } = await store.list(
    tenant,
    { ...query, now: time },
    { limit, offset, after: after.value },
  );
  const headers: Record<string, string> = asOf === null ? {} : { 'x-as-of': asOf };
  if (count) headers['x-total-count'] = String(await store.count(tenant, query));
  if (next !== null) {
    const parameters = new URLSearchParams({
      ...Object.fromEntries([...given].filter(([name]) => REPEATED.includes(name))),
      limit: String(limit),
      cursor: writeCursor(sortKeysOf(query), next),
      ...(count ? { count: 'true' } : {}),
    });
    headers['link'] = `<${addressOf(baseAddress, tenant)}${pathOf(request.exchange.target)}?${parameters}>; rel="next"`;
  }
  return ok({ json: violations, headers });
}

/** The query parameters that the link to the next page repeats. */
const REPEATED = ['filters', 'sorters', 'sort'];
