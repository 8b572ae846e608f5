import {
  ask,
  askWithToken,
  JSON_TYPE,
  lengthOf,
  type MalformedRow,
  PREDICT_BODY,
  predict,
  predictBody,
  rows,
} from './malformed-row.ts';

const LENGTH = lengthOf(PREDICT_BODY);
const GET = 'GET /healthz HTTP/1.1';
const LIST = 'GET /auth-profiles/v1 HTTP/1.1';
const EXPERIMENTAL = 'X-Service-Experimental: true\r\n';

/** A request with exactly these Host headers. */
const hosts =
  (...values: readonly string[]) =>
  () =>
    `${GET}\r\n${values.map((value) => `Host: ${value}\r\n`).join('')}\r\n`;

/** A predict request with exactly these Authorization headers. */
const authorized =
  (change: (auth: string) => string): MalformedRow['send'] =>
  ({ auth, ...world }) =>
    predict(LENGTH)({ ...world, auth: change(auth) });

const typed = (headers: string) => predictBody(PREDICT_BODY, headers);

/** Header fields. */
export const ROWS_OF_HEADERS = rows({
  '400 -> closed': {
    'no Host': hosts(),
    'bare LFs': () => `${GET}\nHost: x\n\n`,
    'one bare LF': () => `${GET}\r\nHost: x\nX-A: b\r\n\r\n`,
    'bare CR': () => `${GET}\r\nHost: x\rX-A: b\r\n\r\n`,
    'NUL in a header': ask(GET, 'X-A: a\0b\r\n'),
    'control character in a header': ask(GET, 'X-A: a\x01b\r\n'),
    'DEL in a header': ask(GET, 'X-A: a\x7fb\r\n'),
    'NUL in the name of a header': ask(GET, 'X\0A: b\r\n'),
    'byte beyond ASCII in the name of a header': ask(GET, 'X-\xe4: b\r\n'),
    'header that is folded': ask(GET, 'X-A: a\r\n b\r\n'),
    'first header that is folded': () => `${GET}\r\n X-A: a\r\nHost: x\r\n\r\n`,
    'space before a colon': ask(GET, 'X-A : a\r\n'),
    'header without a name': ask(GET, ': a\r\n'),
    'header without a colon': ask(GET, 'X-A\r\n'),
  },
  '400 400.1 -> open': {
    'two Hosts': hosts('x', 'y'),
    'two equal Hosts': hosts('x', 'x'),
    'empty Host': hosts(''),
    'Host with a user': hosts('a@b'),
    'Host with a path': hosts('a/b'),
    'Host with a port out of range': hosts('a:99999'),
    'Host with a space': hosts('a b'),
  },
  '400 400.1 -> open, lanes': {
    'two Hosts and a predict request': ({ host, ...world }) =>
      predict(LENGTH)({ ...world, host: `${host}Host: y\r\n` }),
  },
  '200 -> open': {
    'Host of version 6': hosts('[::1]:80'),
    'byte beyond ASCII in a header, which is opaque': ask(GET, 'X-A: a\xe4b\r\n'),
    'headers of 15 KiB': ask(GET, `X-A: ${'a'.repeat(15_000)}\r\n`),
    'experimental header': askWithToken(LIST, EXPERIMENTAL),
    'experimental header with spaces around it': askWithToken(LIST, 'X-Service-Experimental:   true \t\r\n'),
    'Upgrade to WebSocket, which is ignored': ask(
      GET,
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n',
    ),
    'X-HTTP-Method-Override, which is ignored': ask(GET, 'X-HTTP-Method-Override: DELETE\r\n'),
  },
  '431 -> closed': {
    'headers over 16 KiB': ask(GET, `X-A: ${'a'.repeat(16_384)}\r\n`),
    'headers over 16 KiB in many lines': ask(GET, 'a: b\r\n'.repeat(3000)),
  },
  '401 401 -> open, lanes': {
    'no Authorization': authorized(() => ''),
    'two Authorizations': authorized((auth) => auth + auth),
    'two Authorizations, the first one no token': authorized((auth) => `Authorization: Basic eDp5\r\n${auth}`),
    'two tokens in one Authorization': authorized((auth) => `${auth.trim()}, ${auth.slice('Authorization: '.length)}`),
    'tab behind the scheme': authorized((auth) => auth.replace('Bearer ', 'Bearer\t')),
    'another scheme': authorized((auth) => auth.replace('Bearer', 'DPoP')),
    'token with a byte beyond ASCII': authorized((auth) => auth.replace('\r\n', '\xe4\r\n')),
  },
  '404 404 -> open, lanes': {
    'scheme in small letters': authorized((auth) => auth.replace('Bearer', 'bearer')),
    'Content-Type in capitals': typed('Content-Type: APPLICATION/JSON\r\n'),
    'charset utf-8 in quotes': typed('Content-Type: application/json; charset="UTF-8"\r\n'),
    'Expect of something else, which is ignored': predict(`Expect: 200-ok\r\n${LENGTH}`),
    'Upgrade to HTTP/2, which is ignored': predict(
      `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n${LENGTH}`,
    ),
  },
  '401 401 -> open': {
    'token in the query': ({ host, auth }) =>
      `GET /auth-users/v1/x?access_token=${auth.trim().split(' ').at(-1)} HTTP/1.1\r\n${host}\r\n`,
  },
  '400 400.1.0 -> open': {
    'no experimental header': askWithToken(LIST),
    'experimental header twice: together they are not true': askWithToken(LIST, EXPERIMENTAL + EXPERIMENTAL),
    'experimental headers that differ': askWithToken(LIST, `X-Service-Experimental: false\r\n${EXPERIMENTAL}`),
    'experimental header in capitals': askWithToken(LIST, 'X-Service-Experimental: TRUE\r\n'),
  },
  '400 400.1.3 -> open': {
    'limit twice': askWithToken(LIST.replace('v1', 'v1?limit=1&limit=2'), EXPERIMENTAL),
  },
  '415 415 -> open, lanes': {
    'two Content-Types': typed(`${JSON_TYPE}Content-Type: text/plain\r\n`),
    'two equal Content-Types': typed(JSON_TYPE + JSON_TYPE),
    'no Content-Type': typed(''),
    'empty Content-Type': typed('Content-Type:\r\n'),
    'another JSON type': typed('Content-Type: application/problem+json\r\n'),
    'charset latin1': typed('Content-Type: application/json; charset=latin1\r\n'),
    'charset utf-16': typed('Content-Type: application/json; charset=utf-16\r\n'),
    'another parameter': typed('Content-Type: application/json; version=2\r\n'),
    'Content-Encoding: gzip': typed(`${JSON_TYPE}Content-Encoding: gzip\r\n`),
    'Content-Encoding: identity': typed(`${JSON_TYPE}Content-Encoding: identity\r\n`),
    'empty Content-Encoding': typed(`${JSON_TYPE}Content-Encoding:\r\n`),
  },
  '100 | 404 404 -> open, lanes': {
    'Expect: 100-continue': (w) => [predict(`Expect: 100-continue\r\n${LENGTH}`, '')(w), PREDICT_BODY],
  },
  '100 | 401 401 -> open': {
    'Expect: 100-continue without a token': ask(
      'POST /sod-violations/v1/predict HTTP/1.1',
      `Expect: 100-continue\r\n${LENGTH}`,
      PREDICT_BODY,
    ),
  },
  '404 404 -> closed, lanes': {
    'Expect: 100-continue in HTTP/1.0, where there is none': (w) =>
      predict(`Expect: 100-continue\r\n${LENGTH}`)(w).replace('HTTP/1.1', 'HTTP/1.0'),
  },
  '200 -> closed': {
    'Connection: close, keep-alive': ask(GET, 'Connection: close, keep-alive\r\n'),
  },
});
