/** A malformed or unusual request and its expected outcome. */
export interface MalformedRow {
  readonly name: string;
  /** The bytes, one per character, with `<token>` and `<query>` to be filled in; a list is sent piece by piece. */
  readonly request: string | readonly string[];
  /** The answers in order, each a status with its code if it has one. */
  readonly answers: readonly string[];
  /** Whether the connection can be used afterwards. */
  readonly leaves: 'open' | 'closed';
  /** Whether the sender closes its side after the request. */
  readonly ends: boolean;
}

/** Whether the answers have no body because they answer HEAD. */
export const isHead = ({ request }: MalformedRow): boolean => String(request).startsWith('HEAD ');

type Requests = Readonly<Record<string, MalformedRow['request']>>;

/** Rows by their outcome, such as `404 404 | 200 -> open`: two answers, then a usable connection. */
export const rows = (byOutcome: Readonly<Record<string, Requests>>): readonly MalformedRow[] =>
  Object.entries(byOutcome).flatMap(([outcome, requests]) => {
    const [before = '', after = ''] = outcome.split(' -> ');
    const answers = before === 'no answer' ? [] : before.split(' | ');
    const leaves = after === 'open' ? 'open' : 'closed';
    const ends = after === 'closed, ends';
    return Object.entries(requests).map(([name, request]) => ({ name, request, answers, leaves, ends }));
  });

/** Requests that differ in one value, each named after its value. */
export const each = (what: string, values: readonly string[], requestOf: (value: string) => string): Requests =>
  Object.fromEntries(values.map((value) => [`${what} ${JSON.stringify(value.slice(0, 80))}`, requestOf(value)]));

export const PREDICT_BODY = '{"identityId":"i-none","accessRefs":[]}';
/** A request that would be answered with 200 if it were read as a request. */
export const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: hidden\r\n\r\n';
export const HOST = 'Host: x\r\n';
/** The header of an application with every scope. */
export const AUTH = 'Authorization: Bearer <token>\r\n';
export const JSON_TYPE = 'Content-Type: application/json\r\n';

export const lengthOf = (body: string) => `Content-Length: ${body.length}\r\n`;
export const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** A request with the Host header and only the given parts. */
export const ask = (line: string, headers = '', body = '') => `${line}\r\n${HOST}${headers}\r\n${body}`;

/** A predict request with these headers, framing included. */
export const predict = (headers: string, body = PREDICT_BODY, type = JSON_TYPE) =>
  ask('POST /sod-violations/v1/predict<query> HTTP/1.1', AUTH + type + headers, body);

/** A predict request with this body and its length. */
export const predictBody = (body: string, type = JSON_TYPE) => predict(lengthOf(body), body, type);
