import { AUDIT_FILTERS, parseFilters } from '@access-admin/contract';
import {
  AUDIT_OUTCOMES,
  AUDITED_RESOURCES,
  type AuditHead,
  type Failure,
  fail,
  failure,
  ok,
  type Result,
} from '@access-admin/domain';
import type { AuditCondition, AuditStore } from '@access-admin/store';
import type { OperationHandler } from '../handle-operation.ts';
import { answerList, queryOf } from './answer-list.ts';
import { ndjsonOf } from './ndjson.ts';

/** list-audit-events-v1 */
export const listAuditEvents =
  (audit: AuditStore, baseAddress: string): OperationHandler =>
  (request) => {
    const { tenant } = request.caller;
    const conditions = parseConditions(queryOf(request).getAll('filters'));
    if (!conditions.ok) return conditions;
    return answerList(request, baseAddress, {
      list: (page) => audit.list(tenant, conditions.value, page),
      count: () => audit.count(tenant, conditions.value),
    });
  };

/** export-audit-events-v1 */
export const exportAuditEvents =
  (audit: AuditStore): OperationHandler =>
  async ({ caller }) =>
    ok({ text: await ndjsonOf(() => audit.export(caller.tenant)) });

/** Signs, for a tenant, where its log ends. */
export type SignHead = (tenant: string, head: AuditHead) => Promise<string>;

/** get-audit-head-v1 */
export const getAuditHead =
  (audit: AuditStore, sign: SignHead): OperationHandler =>
  async ({ caller: { tenant } }) => {
    const head = await audit.head(tenant);
    return ok({ json: { ...head, signature: await sign(tenant, head) } });
  };

const KNOWN: Readonly<Record<string, readonly string[]>> = { resourceType: AUDITED_RESOURCES, outcome: AUDIT_OUTCOMES };

function parseConditions(texts: readonly string[]): Result<readonly AuditCondition[], Failure> {
  const [text] = texts;
  if (text === undefined) return ok([]);
  if (texts.length > 1) return fail(failure('IllegalValue', 'filters', 'must be given once'));
  const filters = parseFilters(text, AUDIT_FILTERS);
  if (!filters.ok) return filters;
  for (const { field, values } of filters.value) {
    const known = KNOWN[field];
    if (known !== undefined && !values.every((value) => known.includes(value)))
      return fail(failure('IllegalValue', 'filters', `${field} is one of ${known.join(', ')}`));
  }
  // Of the operators of these fields none takes a list.
  return ok(filters.value.map(({ values: [value = ''], ...condition }) => ({ ...condition, value }) as AuditCondition));
}
