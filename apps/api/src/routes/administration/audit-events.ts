import { AUDIT_FILTERS, parseFilters } from '@access-admin/contract';
import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { AuditCondition, AuditStore, SodPolicyStore, Store } from '@access-admin/store';
import type { SignHead } from '../../audit/sign-head.ts';
import type { Exports } from '../../exports/answer-exports.ts';
import { ended } from '../../http/connection.ts';
import type { OperationHandler, OperationHandlers, OperationRequest } from '../../operations/operation.ts';
import { answerList, parseListQuery, queryOf } from '../answers/list.ts';
import { asText, ndjsonOf } from '../answers/ndjson.ts';
import { onceOf } from '../answers/once-of.ts';

export interface AuditDeps {
  readonly store: Pick<Store, 'audit' | 'sodPolicies'>;
  readonly baseAddress: string;
  readonly signHead: SignHead;
  readonly exports: Exports;
}

export const auditHandlers = ({ store: { audit, sodPolicies: policies }, baseAddress, signHead, exports }: AuditDeps) =>
  ({
    'list-audit-events-v1': listAuditEvents(audit, baseAddress),
    'export-audit-events-v1': exportAuditEvents(audit, exports),
    'get-audit-head-v1': getAuditHead(audit, signHead),
    'get-sod-policy-history-v1': getSodPolicyHistory({ audit, policies, baseAddress }),
  }) satisfies Partial<OperationHandlers>;

/** list-audit-events-v1 */
const listAuditEvents =
  (audit: AuditStore, baseAddress: string): OperationHandler =>
  (request) => {
    const conditions = parseConditions(queryOf(request));
    return conditions.ok ? answerEvents(request, conditions.value, { audit, baseAddress }) : conditions;
  };

interface SodPolicyHistoryDeps {
  readonly audit: AuditStore;
  readonly policies: Pick<SodPolicyStore, 'find'>;
  readonly baseAddress: string;
}

/** get-sod-policy-history-v1 */
const getSodPolicyHistory =
  ({ audit, policies, baseAddress }: SodPolicyHistoryDeps): OperationHandler =>
  async (request) => {
    const query = parseListQuery(queryOf(request));
    if (!query.ok) return query;
    const { tenant } = request.caller;
    const { id = '' } = request.params;
    const ofPolicy: readonly AuditCondition[] = [
      { field: 'resourceType', operator: 'eq', value: 'SOD_POLICY' },
      { field: 'resourceId', operator: 'eq', value: id },
    ];
    // A deleted policy has events that were allowed. Denied requests may name an id that no policy ever had.
    const allowed: AuditCondition = { field: 'outcome', operator: 'eq', value: 'ALLOWED' };
    const isKnown =
      (await policies.find(tenant, id)) !== null || (await audit.count(tenant, [...ofPolicy, allowed])) > 0;
    return isKnown
      ? answerEvents(request, ofPolicy, { audit, baseAddress })
      : fail(failure('NotFound', '', 'There is no such SOD policy.'));
  };

const answerEvents = (
  request: OperationRequest,
  conditions: readonly AuditCondition[],
  { audit, baseAddress }: Pick<SodPolicyHistoryDeps, 'audit' | 'baseAddress'>,
) => {
  const { tenant } = request.caller;
  return answerList(request, baseAddress, {
    list: (page) => audit.listSequences(tenant, conditions, page),
    count: () => audit.count(tenant, conditions),
    write: (sequences) => arrayOf(audit.read(tenant, sequences)),
  });
};

// In characters.
const PIECE_LENGTH = 64 * 1024;

/** A JSON array, in pieces if it is long. Rejects if the storage is unavailable at the start; later that can only end it early. */
async function arrayOf(items: AsyncIterable<unknown>): Promise<string | AsyncIterable<string>> {
  const pieces = toArrayPieces(items);
  const first = await pieces.next();
  return first.done ? first.value : prepend(first.value, pieces);
}

async function* prepend(first: string, others: AsyncGenerator<string, string>): AsyncGenerator<string> {
  yield first;
  const last = yield* others;
  yield last;
}

/** Returns the last piece. */
async function* toArrayPieces(items: AsyncIterable<unknown>): AsyncGenerator<string, string> {
  let piece = '[';
  let separator = '';
  for await (const item of items) {
    piece += separator + JSON.stringify(item);
    separator = ',';
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  return `${piece}]`;
}

/** export-audit-events-v1 */
const exportAuditEvents =
  (audit: AuditStore, exports: Exports): OperationHandler =>
  async ({ caller: { tenant }, c }) => {
    const reader = { tenant, left: ended(c) };
    return asText(await exports.fromLog(reader, () => ndjsonOf(audit.export(tenant))));
  };

/** get-audit-head-v1 */
const getAuditHead =
  (audit: AuditStore, sign: SignHead): OperationHandler =>
  async ({ caller: { tenant } }) => {
    const head = await audit.head(tenant);
    return ok({ json: { ...head, signature: await sign(tenant, head) } });
  };

function parseConditions(query: URLSearchParams): Result<readonly AuditCondition[], Failure> {
  const text = onceOf(query, 'filters');
  if (!text.ok) return text;
  const filters = text.value === null ? ok([]) : parseFilters(text.value, AUDIT_FILTERS);
  if (!filters.ok) return filters;
  // No operator of these fields takes a list.
  return ok(filters.value.map(({ values: [value = ''], ...condition }) => ({ ...condition, value }) as AuditCondition));
}
