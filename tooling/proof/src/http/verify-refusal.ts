import { createFindFault } from './json-schema.ts';
import type { Answer } from './read-answer.ts';

const CODE = '^(400\\.1(\\.([01234]|404))?|401|403|404|405|409\\.1|412|413|415|428|429)$';
const MESSAGE = {
  locale: { const: 'en-US' },
  localeOrigin: { const: 'DEFAULT' },
  text: { type: 'string', minLength: 1 },
};
const CAUSE = { ...MESSAGE, detailCode: { type: 'string', pattern: CODE } };
/** The common error shape. Its document leaves codes and languages open. */
const PROBLEM = {
  type: 'object',
  properties: {
    detailCode: { type: 'string', pattern: CODE },
    trackingId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    messages: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', properties: MESSAGE, required: Object.keys(MESSAGE), additionalProperties: false },
    },
    causes: {
      type: 'array',
      items: {
        type: 'object',
        properties: CAUSE,
        required: Object.keys(CAUSE),
        additionalProperties: false,
      },
    },
  },
  required: ['detailCode', 'trackingId', 'messages', 'causes'],
  additionalProperties: false,
};
const OAUTH_ERROR = {
  type: 'object',
  properties: {
    error: { enum: ['invalid_request', 'invalid_client', 'invalid_grant', 'unsupported_grant_type', 'invalid_scope'] },
  },
  required: ['error'],
};
const findFault = createFindFault({});
const REQUIRED_HEADERS: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
};
/** Statuses of Node's HTTP parser; it sends no body and closes the connection. */
const PARSER_STATUSES = new Set([400, 408, 413, 431]);

/** Whether the HTTP parser refused the request before it reached a handler. */
export const isOfParser = ({ status, headers, body }: Answer): boolean =>
  PARSER_STATUSES.has(status) &&
  body.length === 0 &&
  !headers.has('x-request-id') &&
  headers.get('connection')?.toLowerCase() === 'close';

/** Describes how an answer differs from the common error shape, or from that of the token endpoint; null if it does not. */
export function verifyRefusal(
  answer: Answer,
  asked: { readonly isHead: boolean; readonly isToken: boolean },
): string | null {
  const { status, headers, body } = answer;
  if (status >= 500 || status < 400) return 'its status';
  const trackingId = headers.get('x-request-id') ?? '';
  if (!/^[0-9a-f]{32}$/.test(trackingId)) return 'its X-Request-Id';
  const required = REQUIRED_HEADERS[status];
  if (required !== undefined && !headers.has(required)) return `no ${required}`;
  if (status === 414) return body.length === 0 ? null : 'a body';
  if (headers.get('content-type') !== 'application/json') return 'its Content-Type';
  if (asked.isHead) return body.length === 0 ? null : 'a body';
  const json = parseJson(body);
  if (asked.isToken && status !== 404 && status !== 405) return findFault(json, OAUTH_ERROR);
  const fault = findFault(json, PROBLEM);
  if (fault !== null) return fault;
  const { detailCode } = Object(json);
  if (!detailCode.startsWith(String(status))) return 'its detailCode';
  return Object(json).trackingId === trackingId ? null : 'its trackingId';
}

/** Undefined if the body is no JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The status, with the detail code or OAuth error if there is one. */
export function codeOf({ status, body }: Answer): string {
  if (status < 300 || body.length === 0) return String(status);
  const { detailCode, error } = Object(parseJson(body));
  return `${status} ${detailCode ?? error ?? 'without a code'}`;
}
