import { ok, type Result } from '@access-admin/domain';
import type { ApiFailure } from '../../http/problem.ts';
import type { CheckedRequest, OperationResult } from '../../operations/operation.ts';
import { checkIfMatch, etagOf } from './etag.ts';

/** Answers a resource with its strong ETag, and perhaps more headers. */
export const withEtag = (resource: unknown, headers: OperationResult['headers'] = {}): Result<OperationResult, never> =>
  ok({ json: resource, headers: { ...headers, etag: etagOf(resource) } });

/** The precondition of a change: `If-Match`, if given, names the current state. */
export const ifMatch =
  ({ c }: Pick<CheckedRequest, 'c'>) =>
  (current: unknown): Result<null, ApiFailure> =>
    checkIfMatch(c.req.header('if-match'), etagOf(current));
