import { AUTH, ask, each, JSON_TYPE, lengthOf, PREDICT_BODY, predict, predictBody, rows } from './malformed-row.ts';

const LENGTH = lengthOf(PREDICT_BODY);
const GET = 'GET /healthz HTTP/1.1';
const EXPERIMENTAL = 'X-Service-Experimental: true\r\n';
const EXPECT = `Expect: 100-continue\r\n${LENGTH}`;
/** Every control character except tab, LF and CR. */
const CONTROLS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => (character < ' ' || character === '\x7f') && !'\t\n\r'.includes(character),
);

/** A list of auth profiles with these headers. */
const list = (headers: string, query = '') => ask(`GET /auth-profiles/v1${query} HTTP/1.1`, AUTH + headers);
/** A predict request with exactly these Authorization headers. */
const authorized = (headers: string) => predict(LENGTH).replace(AUTH, headers);
const typed = (type: string) => predictBody(PREDICT_BODY, `Content-Type: ${type}\r\n`);

/** Header fields. */
export const ROWS_OF_HEADERS = rows({
  '400 -> closed': {
    'bare LFs': `${GET}\nHost: x\n\n`,
    'one bare LF': `${GET}\r\nHost: x\nX-A: b\r\n\r\n`,
    'bare CR': `${GET}\r\nHost: x\rX-A: b\r\n\r\n`,
    ...each('header with', CONTROLS, (character) => ask(GET, `X-A: a${character}b\r\n`)),
    ...each('name of a header with', [...CONTROLS, '\xe4', ' '], (character) => ask(GET, `X${character}A: b\r\n`)),
    'header that is folded': ask(GET, 'X-A: a\r\n b\r\n'),
    'first header that is folded': `${GET}\r\n X-A: a\r\nHost: x\r\n\r\n`,
    ...each('header line', ['X-A : a', ': a', 'X-A'], (line) => ask(GET, `${line}\r\n`)),
  },
  '400 400.1 -> open': {
    'no Host': `${GET}\r\n\r\n`,
    ...each('Host', ['', 'a@b', 'a/b', 'a:99999', 'a b'], (host) => `${GET}\r\nHost: ${host}\r\n\r\n`),
    ...each('a second Host', ['x', 'y'], (host) => ask(GET, `Host: ${host}\r\n`)),
    'two Hosts and a predict request': predict(`Host: y\r\n${LENGTH}`),
  },
  '200 -> open': {
    'Host of version 6': `${GET}\r\nHost: [::1]:80\r\n\r\n`,
    'byte beyond ASCII in a header, which is opaque': ask(GET, 'X-A: a\xe4b\r\n'),
    'headers of 15 KiB': ask(GET, `X-A: ${'a'.repeat(15_000)}\r\n`),
    'experimental header': list(EXPERIMENTAL),
    'experimental header with spaces around it': list('X-Service-Experimental:   true \t\r\n'),
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
  '401 401 -> open': {
    'no Authorization': authorized(''),
    'two Authorizations': authorized(AUTH + AUTH),
    'two Authorizations, of which the first has another scheme': authorized(`Authorization: Basic eDp5\r\n${AUTH}`),
    ...each(
      'Authorization',
      ['Bearer <token>, Bearer <token>', 'Bearer\t<token>', 'DPoP <token>', 'Bearer <token>\xe4'],
      (value) => authorized(`Authorization: ${value}\r\n`),
    ),
    'token in the query': ask('GET /auth-users/v1/x?access_token=<token> HTTP/1.1'),
  },
  '404 404 -> open': {
    'scheme in small letters': authorized(AUTH.replace('Bearer', 'bearer')),
    ...each('Content-Type', ['APPLICATION/JSON', 'application/json; charset="UTF-8"'], typed),
    'Expect of something else, which is ignored': predict(`Expect: 200-ok\r\n${LENGTH}`),
    'Upgrade to HTTP/2, which is ignored': predict(
      `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n${LENGTH}`,
    ),
  },
  '400 400.1.0 -> open': {
    'no experimental header': list(''),
    'experimental header twice: together they are not true': list(EXPERIMENTAL + EXPERIMENTAL),
    'experimental headers that differ': list(`X-Service-Experimental: false\r\n${EXPERIMENTAL}`),
    'experimental header in capitals': list('X-Service-Experimental: TRUE\r\n'),
  },
  '400 400.1.3 -> open': {
    'limit twice': list(EXPERIMENTAL, '?limit=1&limit=2'),
  },
  '415 415 -> open': {
    'no Content-Type': predictBody(PREDICT_BODY, ''),
    ...each('Content-Type', ['', 'application/problem+json'], typed),
    ...each('parameter', ['charset=latin1', 'charset=utf-16', 'version=2'], (own) => typed(`application/json; ${own}`)),
    ...each('a second Content-Type', ['application/json', 'text/plain'], (second) =>
      predictBody(PREDICT_BODY, `${JSON_TYPE}Content-Type: ${second}\r\n`),
    ),
    ...each('Content-Encoding', ['gzip', 'identity', ''], (coding) =>
      predictBody(PREDICT_BODY, `${JSON_TYPE}Content-Encoding: ${coding}\r\n`),
    ),
  },
  '100 | 404 404 -> open': {
    'Expect: 100-continue': [predict(EXPECT, ''), PREDICT_BODY],
  },
  '100 | 401 401 -> open': {
    'Expect: 100-continue without a token': predict(EXPECT, PREDICT_BODY, '').replace(AUTH, ''),
  },
  '404 404 -> closed': {
    'Expect: 100-continue in HTTP/1.0, which does not define it': predict(EXPECT).replace('HTTP/1.1', 'HTTP/1.0'),
  },
  '200 -> closed': {
    'Connection: close, keep-alive': ask(GET, 'Connection: close, keep-alive\r\n'),
  },
});
