import { MIMEType } from 'node:util';
import type { Operation, RequestBody } from '@access-admin/contract';
import { failure } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';
import type { ApiFailure } from '../http/problem.ts';

/**
 * Refuses a body of another media type than the operation takes, in another charset than UTF-8, or with a content encoding
 * (415; 400 where AuthZEN says so). Other parameters of the type are ignored. Where the body is optional, a request without one needs no Content-Type.
 */
export function refuseMediaType(c: RequestContext, { body, isAuthzen }: Operation): ApiFailure | null {
  const fault = body === null ? null : findFault(c, body);
  if (body === null || fault === null) return null;
  if (isAuthzen) return failure('MalformedBody', '', fault);
  const acceptPatch = body.mediaType === 'application/json-patch+json';
  return { type: 'UnsupportedMediaType', causes: [{ at: '', text: fault }], acceptPatch };
}

function findFault(c: RequestContext, expected: RequestBody): string | null {
  if (c.req.header('content-encoding') !== undefined)
    return 'The body must not be encoded: send it without a Content-Encoding.';
  const contentType = c.req.header('content-type') ?? '';
  if (contentType === expected.mediaType) return null;
  if (contentType === '' && expected.isOptional && hasNoBody(c)) return null;
  const given = parseMediaType(contentType);
  if (given?.essence !== expected.mediaType) return `The Content-Type must be ${expected.mediaType}.`;
  const charset = given.params.get('charset');
  return charset === null || /^utf-?8$/i.test(charset) ? null : 'The charset of the Content-Type must be utf-8.';
}

/** Null if it is not a media type. */
function parseMediaType(text: string): MIMEType | null {
  try {
    return new MIMEType(text);
  } catch {
    return null;
  }
}

/** Whether the headers announce no body, or one of no bytes. */
const hasNoBody = (c: RequestContext): boolean =>
  c.req.header('transfer-encoding') === undefined && Number(c.req.header('content-length') ?? 0) === 0;
