import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { RequestContext } from '../../env.ts';
import type { ApiFailure } from '../../http/problem.ts';
import { checkIfMatch, etagOf } from './etag.ts';

/** Answers a resource with its strong ETag, and perhaps more headers. */
export const withEtag = (
  c: RequestContext,
  resource: object,
  { status = 200, ...headers }: { readonly status?: ContentfulStatusCode; readonly location?: string } = {},
): Response => c.json(resource, status, { ...headers, etag: etagOf(resource) });

/** The precondition of a change: `If-Match`, if given, names the current state. */
export const ifMatch =
  (c: RequestContext) =>
  (current: unknown): Result<null, ApiFailure> =>
    checkIfMatch(c.req.header('if-match'), etagOf(current));

/** The id in the body of a replacement: that of the path, if given. */
export const checkBodyId = (given: string | undefined, id: string): Result<null, Failure> =>
  given === undefined || given === id
    ? ok(null)
    : fail(failure('IllegalValue', 'id', 'must be that of the path, or be left out'));
