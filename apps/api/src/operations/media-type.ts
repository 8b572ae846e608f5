import type { RequestBody } from '@access-admin/contract';
import { fail, type Result } from '@access-admin/domain';
import { OK } from '../event-loop/maybe-promise.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HttpFailure } from './problem.ts';

type Unsupported = Extract<HttpFailure, { type: 'UnsupportedMediaType' }>;

/**
 * Checks that the headers name the expected media type, in UTF-8, without a content encoding. Where the body is optional,
 * a request without one needs no Content-Type.
 */
export function checkMediaType(
  exchange: Exchange,
  { mediaType, isOptional = false }: RequestBody,
): Result<null, Unsupported> {
  const acceptPatch = mediaType === 'application/json-patch+json';
  const unsupported = (text: string) =>
    fail<Unsupported>({ type: 'UnsupportedMediaType', causes: [{ at: '', text }], acceptPatch });
  if (exchange.header('content-encoding') !== null)
    return unsupported('The body must not be encoded: send it without a Content-Encoding.');
  const contentType = exchange.header('content-type') ?? '';
  if (contentType === mediaType) return OK;
  if (contentType === '' && isOptional && hasNoBody(exchange)) return OK;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (type !== mediaType) return unsupported(`The Content-Type must be ${mediaType}.`);
  if (!parameters.every((parameter) => /^(charset=("?)utf-8\2)?$/.test(parameter)))
    return unsupported('The Content-Type must have no parameter but charset=utf-8.');
  return OK;
}

/** Whether the headers announce no body, or one of no bytes. */
const hasNoBody = (exchange: Exchange): boolean =>
  exchange.header('transfer-encoding') === null && Number(exchange.header('content-length') ?? 0) === 0;
