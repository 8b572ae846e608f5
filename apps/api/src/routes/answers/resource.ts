import { ok, type Result } from '@access-admin/domain';
import type { ApiFailure } from '../../operations/problem.ts';
import type { OperationRequest, OperationResult } from '../../operations/request.ts';
import { checkIfMatch, etagOf } from './etag.ts';

/** Answers a resource with its strong ETag, and perhaps more headers. */
export const withEtag = (resource: unknown, headers: OperationResult['headers'] = {}): Result<OperationResult, never> =>
  ok({ json: resource, headers: { ...headers, etag: etagOf(resource) } });

/** Lets a decided change through only when `If-Match` names the state that it was decided on: the last of all refusals. */
export function ifMatch<T>(
  request: OperationRequest,
  current: T,
  decided: Result<T, ApiFailure>,
): Result<T, ApiFailure> {
  if (!decided.ok) return decided;
  const matched = checkIfMatch(request.exchange.header('if-match'), etagOf(current));
  return matched.ok ? decided : matched;
}
