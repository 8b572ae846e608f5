/** What a row is made for. */
export interface RowWorld {
  /** An Authorization header of an application with every scope, with its line end. */
  readonly auth: string;
  /** A target of the predict operation. */
  readonly predict: string;
  /** What is asked for when nothing else matters. */
  readonly host: string;
}

/** One malformed or unusual request and what must become of it. */
export interface MalformedRow {
  readonly name: string;
  /** What is sent, a character a byte; several pieces are sent one after the other, each once the one before has left. */
  readonly send: (world: RowWorld) => string | readonly string[];
  /** The answers in order, each a status with its code where it has one. A closed door without an answer: none. */
  readonly answers: readonly string[];
  /** Whether the connection can still be used afterwards. */
  readonly leaves: 'open' | 'closed';
  /** Whether the sender says that no more will come. */
  readonly ends?: true;
  /** Whether the row is sent with and without a query. */
  readonly lanes?: true;
  /** Whether it asks for an answer without a body. */
  readonly isHead?: true;
}

export const PREDICT_BODY = '{"identityId":"nobody","accessRefs":[]}';
/** A request that would be answered with 200 if it were taken for one. */
export const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: hidden\r\n\r\n';

export const lengthOf = (body: string) => `Content-Length: ${body.length}\r\n`;
export const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** A request with the Host header and nothing else but what is given. */
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

/** A predict request whose framing, or whatever else, is in `headers`. */
export const predict =
  (headers: string, body = PREDICT_BODY, type = JSON_TYPE) =>
  ({ host, auth, predict: target }: RowWorld): string =>
    `POST ${target} HTTP/1.1\r\n${host}${auth}${type}${headers}\r\n${body}`;

/** A predict request with a whole body of this text. */
export const predictBody = (body: string, type = JSON_TYPE) => predict(lengthOf(body), body, type);

/** What a text is in UTF-8, a character a byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
