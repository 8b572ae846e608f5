import { AUDIT_FILTERS, parseFilters } from '@access-admin/contract';
import { type Failure, ok, type Result } from '@access-admin/domain';
import type { AuditCondition, AuditStore } from '@access-admin/store';
import type { SignHead } from '../../audit/sign-head.ts';
import type { OperationHandler } from '../../operations/request.ts';
import { answerList, queryOf } from '../answers/list.ts';
import { ndjsonOf } from '../answers/ndjson.ts';
import { onceOf } from '../answers/once-of.ts';

/** list-audit-events-v1 */
export const listAuditEvents =
  (audit: AuditStore, baseAddress: string): OperationHandler =>
  (request) => {
    const { tenant } = request.caller;
    const conditions = parseConditions(queryOf(request));
    if (!conditions.ok) return conditions;
    return answerList(request, baseAddress, {
      list: (page) => audit.listSequences(tenant, conditions.value, page),
      count: () => audit.count(tenant, conditions.value),
      write: (sequences) => arrayOf(audit.read(tenant, sequences)),
    });
  };

// Characters.
const PIECE_LENGTH = 64 * 1024;

/** A JSON array, in pieces where it is long. Rejects where the storage is away at the start: later that can only cut it. */
async function arrayOf(items: AsyncIterable<unknown>): Promise<string | AsyncIterable<string>> {
  const pieces = toArrayPieces(items);
  const first = await pieces.next();
  return first.done ? first.value : goOn(first.value, pieces);
}

async function* goOn(first: string, others: AsyncGenerator<string, string>): AsyncGenerator<string> {
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
export const exportAuditEvents =
  (audit: AuditStore): OperationHandler =>
  async ({ caller }) =>
    ok({ text: await ndjsonOf(() => audit.export(caller.tenant)) });

/** get-audit-head-v1 */
export const getAuditHead =
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
  // Of the operators of these fields none takes a list.
  return ok(filters.value.map(({ values: [value = ''], ...condition }) => ({ ...condition, value }) as AuditCondition));
}
