/** The input of a request. */
export interface RowWorld {
  /** An Authorization header of an application with every scope, with its line end. */
  readonly auth: string;
  /** A target of the predict operation. */
  readonly predict: string;
  /** A Host header, with its line end. */
  readonly host: string;
}

/** The bytes of a request, one per character; several pieces are sent one after the other. */
type SendRow = (world: RowWorld) => string | readonly string[];

/** A malformed or unusual request and its expected outcome. */
export interface MalformedRow {
  readonly name: string;
  readonly send: SendRow;
  /** The answers in order, each a status with its code if it has one. */
  readonly answers: readonly string[];
  /** Whether the connection can be used afterwards. */
  readonly leaves: 'open' | 'closed';
  /** Whether the sender closes its side after the request. */
  readonly ends: boolean;
  /** Whether the row is sent with and without a query. */
  readonly lanes: boolean;
  /** Whether the answer has no body because it answers HEAD. */
  readonly isHead: boolean;
}

/** Rows by their outcome, such as `404 404 | 200 -> open, lanes`: two answers, then a usable connection. */
export const rows = (byOutcome: Readonly<Record<string, Readonly<Record<string, SendRow>>>>): readonly MalformedRow[] =>
  Object.entries(byOutcome).flatMap(([outcome, requests]) => {
    const [answers = '', end = ''] = outcome.split(' -> ');
    const flags = end.split(', ');
    const common = {
      answers: answers === 'no answer' ? [] : answers.split(' | '),
      leaves: flags[0] === 'open' ? ('open' as const) : ('closed' as const),
      ends: flags.includes('ends'),
      lanes: flags.includes('lanes'),
      isHead: flags.includes('isHead'),
    };
    return Object.entries(requests).map(([name, send]) => ({ name, send, ...common }));
  });

export const PREDICT_BODY = '{"identityId":"nobody","accessRefs":[]}';
/** A request that would be answered with 200 if it were read as a request. */
export const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: hidden\r\n\r\n';

export const lengthOf = (body: string) => `Content-Length: ${body.length}\r\n`;
export const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** A request with the Host header and only the given parts. */
export const ask =
  (line: string, headers = '', body = '') =>
  ({ host }: RowWorld): string =>
    `${line}\r\n${host}${headers}\r\n${body}`;

/** A request with a token. */
export const askWithToken =
  (line: string, headers = '') =>
  ({ host, auth }: RowWorld): string =>
    `${line}\r\n${host}${auth}${headers}\r\n`;

export const JSON_TYPE = 'Content-Type: application/json\r\n';

/** A predict request with these headers, framing included. */
export const predict =
  (headers: string, body = PREDICT_BODY, type = JSON_TYPE) =>
  ({ host, auth, predict: target }: RowWorld): string =>
    `POST ${target} HTTP/1.1\r\n${host}${auth}${type}${headers}\r\n${body}`;

/** A predict request with this body and its length. */
export const predictBody = (body: string, type = JSON_TYPE) => predict(lengthOf(body), body, type);

/** The UTF-8 bytes of a text, one per character. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
