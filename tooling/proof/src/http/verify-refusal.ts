import type { Answer } from './answer-reader.ts';

const TRACKING_ID = /^[0-9a-f]{32}$/;
const CODES: Readonly<Record<number, RegExp>> = {
  400: /^400\.1(\.[01234]|\.404)?$/,
  401: /^401$/,
  403: /^403$/,
  404: /^404$/,
  405: /^405$/,
  409: /^409\.1$/,
  412: /^412$/,
  413: /^413$/,
  415: /^415$/,
  429: /^429$/,
};
const OAUTH_ERROR = /^(invalid_request|invalid_client|invalid_grant|unsupported_grant_type|invalid_scope)$/;
/** Statuses of Node's HTTP parser; it sends no body and closes the connection. */
const PARSER_STATUSES = new Set([400, 408, 413, 431]);
const CAUSES_DEPTH_MAX = 8;

/** Whether the HTTP parser refused the request before it reached a handler. */
export const isOfParser = ({ status, headers, body }: Answer): boolean =>
  PARSER_STATUSES.has(status) &&
  body.length === 0 &&
  !headers.has('x-request-id') &&
  headers.get('connection')?.toLowerCase() === 'close';

/** Describes how an answer differs from the common error shape, or from that of the token endpoint; null if it does not. */
export function faultOfRefusal(
  answer: Answer,
  asked: { readonly isHead: boolean; readonly isToken: boolean },
): string | null {
  const { status, headers, body } = answer;
  if (status >= 500 || status < 400) return 'its status';
  const trackingId = headers.get('x-request-id') ?? '';
  if (!TRACKING_ID.test(trackingId)) return 'its X-Request-Id';
  if (status === 405 && !headers.has('allow')) return 'no Allow';
  if (status === 401 && !headers.has('www-authenticate')) return 'no WWW-Authenticate';
  if (status === 429 && !headers.has('retry-after')) return 'no Retry-After';
  if (status === 414) return body.length === 0 ? null : 'a body';
  if (headers.get('content-type') !== 'application/json') return 'its Content-Type';
  if (asked.isHead) return body.length === 0 ? null : 'a body';
  const json = parseJson(body);
  if (asked.isToken && status !== 404 && status !== 405) return isOauthError(json) ? null : 'no error of OAuth 2.0';
  return faultOfProblem(json, { status, trackingId, depthMax: CAUSES_DEPTH_MAX });
}

interface Expected {
  readonly status: number | null;
  readonly trackingId: string;
  readonly depthMax: number;
}

function faultOfProblem(json: unknown, { status, trackingId, depthMax }: Expected): string | null {
  const problem = Object(json);
  if (Object.keys(problem).sort().join() !== 'causes,detailCode,messages,trackingId') return 'its properties';
  const { detailCode, messages, causes } = problem;
  // A cause has its own code, such as 400.1.404 below 400.1.
  const codes = status === null ? Object.values(CODES) : [CODES[status] ?? /^$/];
  if (typeof detailCode !== 'string' || !codes.some((code) => code.test(detailCode))) return 'its detailCode';
  if (problem.trackingId !== trackingId) return 'its trackingId';
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) return 'its messages';
  if (!Array.isArray(causes) || depthMax === 0) return 'its causes';
  for (const cause of causes) {
    const fault = faultOfProblem(cause, { status: null, trackingId, depthMax: depthMax - 1 });
    if (fault !== null) return `in a cause, ${fault}`;
  }
  return null;
}

function isMessage(message: unknown): boolean {
  const { locale, localeOrigin, text } = Object(message);
  return locale === 'en-US' && localeOrigin === 'DEFAULT' && typeof text === 'string' && text !== '';
}

const isOauthError = (json: unknown): boolean => OAUTH_ERROR.test(String(Object(json).error));

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
