import {
  ask,
  askWithToken,
  JSON_TYPE,
  lengthOf,
  type MalformedRow,
  PREDICT_BODY,
  predict,
  predictBody,
} from './malformed-row.ts';

const OK = { answers: ['200'], leaves: 'open' } as const;
const PARSER = { answers: ['400'], leaves: 'closed' } as const;
const NO_ADDRESS = { answers: ['400 400.1'], leaves: 'open' } as const;
const TAKEN = { answers: ['404 404'], leaves: 'open' } as const;
const UNAUTHENTICATED = { answers: ['401 401'], leaves: 'open' } as const;
const UNDECLARED = { answers: ['400 400.1.0'], leaves: 'open' } as const;
const UNSUPPORTED = { answers: ['415 415'], leaves: 'open', lanes: true } as const;

const LENGTH = lengthOf(PREDICT_BODY);
const GET = 'GET /healthz HTTP/1.1';
const LIST = 'GET /auth-profiles/v1 HTTP/1.1';
const EXPERIMENTAL = 'X-Service-Experimental: true\r\n';

/** A request whose Host headers are exactly these. */
const hosts =
  (...values: readonly string[]) =>
  () =>
    `${GET}\r\n${values.map((value) => `Host: ${value}\r\n`).join('')}\r\n`;

/** A predict request whose Authorization headers are exactly these. */
const authorized =
  (change: (auth: string) => string): MalformedRow['send'] =>
  ({ auth, ...world }) =>
    predict(LENGTH)({ ...world, auth: change(auth) });

const typed = (headers: string) => predictBody(PREDICT_BODY, headers);

/** Header fields and what they mean. */
export const ROWS_OF_HEADERS: readonly MalformedRow[] = [
  { name: 'no Host', send: hosts(), ...PARSER },
  { name: 'two Hosts', send: hosts('x', 'y'), ...NO_ADDRESS },
  { name: 'two equal Hosts', send: hosts('x', 'x'), ...NO_ADDRESS },
  {
    name: 'two Hosts and a predict request',
    send: ({ host, ...world }) => predict(LENGTH)({ ...world, host: `${host}Host: y\r\n` }),
    ...NO_ADDRESS,
    lanes: true,
  },
  { name: 'empty Host', send: hosts(''), ...NO_ADDRESS },
  { name: 'Host with a user', send: hosts('a@b'), ...NO_ADDRESS },
  { name: 'Host with a path', send: hosts('a/b'), ...NO_ADDRESS },
  { name: 'Host with a port out of range', send: hosts('a:99999'), ...NO_ADDRESS },
  { name: 'Host with a space', send: hosts('a b'), ...NO_ADDRESS },
  { name: 'Host of version 6', send: hosts('[::1]:80'), ...OK },
  { name: 'bare LFs', send: () => `${GET}\nHost: x\n\n`, ...PARSER },
  { name: 'one bare LF', send: () => `${GET}\r\nHost: x\nX-A: b\r\n\r\n`, ...PARSER },
  { name: 'bare CR', send: () => `${GET}\r\nHost: x\rX-A: b\r\n\r\n`, ...PARSER },
  { name: 'NUL in a header', send: ask(GET, 'X-A: a\0b\r\n'), ...PARSER },
  { name: 'control character in a header', send: ask(GET, 'X-A: a\x01b\r\n'), ...PARSER },
  { name: 'DEL in a header', send: ask(GET, 'X-A: a\x7fb\r\n'), ...PARSER },
  { name: 'byte beyond ASCII in a header, which is opaque', send: ask(GET, 'X-A: a\xe4b\r\n'), ...OK },
  { name: 'NUL in the name of a header', send: ask(GET, 'X\0A: b\r\n'), ...PARSER },
  { name: 'byte beyond ASCII in the name of a header', send: ask(GET, 'X-\xe4: b\r\n'), ...PARSER },
  { name: 'header that is folded', send: ask(GET, 'X-A: a\r\n b\r\n'), ...PARSER },
  { name: 'first header that is folded', send: () => `${GET}\r\n X-A: a\r\nHost: x\r\n\r\n`, ...PARSER },
  { name: 'space before a colon', send: ask(GET, 'X-A : a\r\n'), ...PARSER },
  { name: 'header without a name', send: ask(GET, ': a\r\n'), ...PARSER },
  { name: 'header without a colon', send: ask(GET, 'X-A\r\n'), ...PARSER },
  { name: 'headers of 15 KiB', send: ask(GET, `X-A: ${'a'.repeat(15_000)}\r\n`), ...OK },
  { name: 'headers over 16 KiB', send: ask(GET, `X-A: ${'a'.repeat(16_384)}\r\n`), answers: ['431'], leaves: 'closed' },
  {
    name: 'headers over 16 KiB in many lines',
    send: ask(GET, 'a: b\r\n'.repeat(3000)),
    answers: ['431'],
    leaves: 'closed',
  },
  { name: 'no Authorization', send: authorized(() => ''), ...UNAUTHENTICATED, lanes: true },
  { name: 'two Authorizations', send: authorized((auth) => auth + auth), ...UNAUTHENTICATED, lanes: true },
  {
    name: 'two Authorizations, the first one no token',
    send: authorized((auth) => `Authorization: Basic eDp5\r\n${auth}`),
    ...UNAUTHENTICATED,
    lanes: true,
  },
  {
    name: 'two tokens in one Authorization',
    send: authorized((auth) => `${auth.trim()}, ${auth.slice('Authorization: '.length)}`),
    ...UNAUTHENTICATED,
    lanes: true,
  },
  {
    name: 'scheme in small letters',
    send: authorized((auth) => auth.replace('Bearer', 'bearer')),
    ...TAKEN,
    lanes: true,
  },
  {
    name: 'tab behind the scheme',
    send: authorized((auth) => auth.replace('Bearer ', 'Bearer\t')),
    ...UNAUTHENTICATED,
    lanes: true,
  },
  {
    name: 'another scheme',
    send: authorized((auth) => auth.replace('Bearer', 'DPoP')),
    ...UNAUTHENTICATED,
    lanes: true,
  },
  {
    name: 'token with a byte beyond ASCII',
    send: authorized((auth) => auth.replace('\r\n', '\xe4\r\n')),
    ...UNAUTHENTICATED,
    lanes: true,
  },
  {
    name: 'token in the query',
    send: ({ host, auth }) =>
      `GET /auth-users/v1/x?access_token=${auth.trim().split(' ').at(-1)} HTTP/1.1\r\n${host}\r\n`,
    ...UNAUTHENTICATED,
  },
  { name: 'experimental header', send: askWithToken(LIST, EXPERIMENTAL), ...OK },
  { name: 'no experimental header', send: askWithToken(LIST), ...UNDECLARED },
  {
    name: 'experimental header twice: together they are not true',
    send: askWithToken(LIST, EXPERIMENTAL + EXPERIMENTAL),
    ...UNDECLARED,
  },
  {
    name: 'experimental headers that differ',
    send: askWithToken(LIST, `X-Service-Experimental: false\r\n${EXPERIMENTAL}`),
    ...UNDECLARED,
  },
  {
    name: 'experimental header in capitals',
    send: askWithToken(LIST, 'X-Service-Experimental: TRUE\r\n'),
    ...UNDECLARED,
  },
  {
    name: 'experimental header with spaces around it',
    send: askWithToken(LIST, 'X-Service-Experimental:   true \t\r\n'),
    ...OK,
  },
  {
    name: 'limit twice',
    send: askWithToken(LIST.replace('v1', 'v1?limit=1&limit=2'), EXPERIMENTAL),
    answers: ['400 400.1.3'],
    leaves: 'open',
  },
  { name: 'two Content-Types', send: typed(`${JSON_TYPE}Content-Type: text/plain\r\n`), ...UNSUPPORTED },
  { name: 'two equal Content-Types', send: typed(JSON_TYPE + JSON_TYPE), ...UNSUPPORTED },
  { name: 'no Content-Type', send: typed(''), ...UNSUPPORTED },
  { name: 'empty Content-Type', send: typed('Content-Type:\r\n'), ...UNSUPPORTED },
  { name: 'another JSON type', send: typed('Content-Type: application/problem+json\r\n'), ...UNSUPPORTED },
  { name: 'Content-Type in capitals', send: typed('Content-Type: APPLICATION/JSON\r\n'), ...TAKEN, lanes: true },
  {
    name: 'charset utf-8 in quotes',
    send: typed('Content-Type: application/json; charset="UTF-8"\r\n'),
    ...TAKEN,
    lanes: true,
  },
  { name: 'charset latin1', send: typed('Content-Type: application/json; charset=latin1\r\n'), ...UNSUPPORTED },
  { name: 'charset utf-16', send: typed('Content-Type: application/json; charset=utf-16\r\n'), ...UNSUPPORTED },
  { name: 'another parameter', send: typed('Content-Type: application/json; version=2\r\n'), ...UNSUPPORTED },
  { name: 'Content-Encoding: gzip', send: typed(`${JSON_TYPE}Content-Encoding: gzip\r\n`), ...UNSUPPORTED },
  { name: 'Content-Encoding: identity', send: typed(`${JSON_TYPE}Content-Encoding: identity\r\n`), ...UNSUPPORTED },
  { name: 'empty Content-Encoding', send: typed(`${JSON_TYPE}Content-Encoding:\r\n`), ...UNSUPPORTED },
  {
    name: 'Expect: 100-continue',
    send: (w) => [predict(`Expect: 100-continue\r\n${LENGTH}`, '')(w), PREDICT_BODY],
    answers: ['100', '404 404'],
    leaves: 'open',
    lanes: true,
  },
  {
    name: 'Expect: 100-continue without a token',
    send: ask('POST /sod-violations/v1/predict HTTP/1.1', `Expect: 100-continue\r\n${LENGTH}`, PREDICT_BODY),
    answers: ['100', '401 401'],
    leaves: 'open',
  },
  {
    name: 'Expect: 100-continue in HTTP/1.0, where there is none',
    send: (w) => predict(`Expect: 100-continue\r\n${LENGTH}`)(w).replace('HTTP/1.1', 'HTTP/1.0'),
    answers: ['404 404'],
    leaves: 'closed',
    lanes: true,
  },
  {
    name: 'Expect of something else, which is ignored',
    send: predict(`Expect: 200-ok\r\n${LENGTH}`),
    ...TAKEN,
    lanes: true,
  },
  {
    name: 'Upgrade to WebSocket, which is ignored',
    send: ask(GET, 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'),
    ...OK,
  },
  {
    name: 'Upgrade to HTTP/2, which is ignored',
    send: predict(`Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n${LENGTH}`),
    ...TAKEN,
    lanes: true,
  },
  {
    name: 'Connection: close, keep-alive',
    send: ask(GET, 'Connection: close, keep-alive\r\n'),
    answers: ['200'],
    leaves: 'closed',
  },
  { name: 'X-HTTP-Method-Override, which is ignored', send: ask(GET, 'X-HTTP-Method-Override: DELETE\r\n'), ...OK },
];
