import { ask, askWithToken, JSON_TYPE, lengthOf, PREDICT_BODY, predict, rows } from './malformed-row.ts';

const LONG = '/healthz?';

/** Request lines, targets, versions and methods. */
export const ROWS_OF_LINES = rows({
  '200 -> open': {
    'target in absolute form': ask('GET http://y/healthz HTTP/1.1'),
    'target in absolute form, scheme in capitals': ask('GET HTTP://y/healthz HTTP/1.1'),
    'two spaces between the words, which a server may take': ask('GET  /healthz HTTP/1.1'),
    'empty lines before a request, which a server should skip': (w) => `\r\n\r\n${ask('GET /healthz HTTP/1.1')(w)}`,
    'HTTP/1.0 that is kept alive': ask('GET /healthz HTTP/1.0', 'Connection: keep-alive\r\n'),
    'fragment in a target, which is left away': ask('GET /healthz#x HTTP/1.1'),
    'backslash in a query': ask('GET /healthz?a=\\ HTTP/1.1'),
    'target of 2 KiB': ask(`GET ${LONG.padEnd(2048, 'x')} HTTP/1.1`),
  },
  '404 404 -> open': {
    'target in absolute form without a path': ask('GET http://y HTTP/1.1'),
    '%00 in an id': askWithToken('GET /auth-users/v1/%00 HTTP/1.1'),
    '%2f in an id': askWithToken('GET /auth-users/v1/a%2fb HTTP/1.1'),
    '%2e%2e for an id': askWithToken('GET /auth-users/v1/%2e%2e HTTP/1.1'),
    'two dots for an id': askWithToken('GET /auth-users/v1/.. HTTP/1.1'),
    'two dots in a path, which are not resolved': ask('GET /x/../healthz HTTP/1.1'),
    'percent and no digits in an id': askWithToken('GET /auth-users/v1/%zz HTTP/1.1'),
    'percent at the end of an id': askWithToken('GET /auth-users/v1/a% HTTP/1.1'),
    'percent-encoded byte that is no UTF-8': askWithToken('GET /auth-users/v1/%ff HTTP/1.1'),
    'percent-encoded letter in a route, which is matched as sent': ask('GET /%68ealthz HTTP/1.1'),
    'percent-encoded slash in a route': askWithToken('GET /auth-users%2fv1/x HTTP/1.1'),
    'two slashes at the start': ask('GET //healthz HTTP/1.1'),
    'slash at the end': ask('GET /healthz/ HTTP/1.1'),
  },
  '400 400.1 -> open': {
    'target in absolute form of another scheme': ask('GET ftp://y/healthz HTTP/1.1'),
    'target in asterisk form: no route, and no address either': ask('OPTIONS * HTTP/1.1'),
    'target in asterisk form with GET': ask('GET * HTTP/1.1'),
    'backslash in a path, which no address has': askWithToken('GET /auth-users/v1/a\\b HTTP/1.1'),
  },
  '400 -> closed': {
    'target in authority form with GET': ask('GET x:443 HTTP/1.1'),
    'no target': ask('GET HTTP/1.1'),
    'space in a target': ask('GET /heal thz HTTP/1.1'),
    'tabs between the words': ask('GET\t/healthz\tHTTP/1.1'),
    'space before a request': (w) => ` ${ask('GET /healthz HTTP/1.1')(w)}`,
    'bytes of TLS': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'HTTP/1.2': ask('GET /healthz HTTP/1.2'),
    'HTTP/3.1': ask('GET /healthz HTTP/3.1'),
    'name of the protocol in small letters': ask('GET /healthz http/1.1'),
    'another protocol': ask('GET /healthz HTTPS/1.1'),
    'preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'method in small letters': ask('get /healthz HTTP/1.1'),
    'method that the parser does not know': ask('FOO /healthz HTTP/1.1'),
    'bytes beyond ASCII in a target': askWithToken('GET /auth-users/v1/\xc3\xa4 HTTP/1.1'),
    'NUL in a target': askWithToken('GET /auth-users/v1/\0 HTTP/1.1'),
  },
  '400 400.1 -> closed': {
    CONNECT: ask('CONNECT x:443 HTTP/1.1'),
    'CONNECT to a path': ask('CONNECT /healthz HTTP/1.1'),
    'HTTP/0.9': () => 'GET /healthz\r\n\r\n',
    'HTTP/1.0 without Host: there is no address': () => 'GET /healthz HTTP/1.0\r\n\r\n',
  },
  '200 -> closed': {
    'HTTP/1.0': ask('GET /healthz HTTP/1.0'),
  },
  '405 405 -> open': {
    'method that only the parser knows': ask('PROPFIND /healthz HTTP/1.1'),
    OPTIONS: ask('OPTIONS /healthz HTTP/1.1'),
    'TRACE, before any token is asked for': ask('TRACE /auth-users/v1/x HTTP/1.1'),
    'predict with GET': (w) => predict(lengthOf(PREDICT_BODY))(w).replace('POST', 'GET'),
  },
  '200 -> open, isHead': {
    HEAD: ask('HEAD /healthz HTTP/1.1'),
  },
  '404 -> open, isHead': {
    'HEAD of what is not there': askWithToken('HEAD /auth-users/v1/x HTTP/1.1'),
  },
  '414 -> open': {
    'target of 2 KiB and a byte': ask(`GET ${LONG.padEnd(2049, 'x')} HTTP/1.1`),
    'target of 2 KiB and a byte with a body': ({ host, auth, predict: target }) =>
      `POST ${`${target}?`.padEnd(2049, 'x')} HTTP/1.1\r\n${host}${auth}${JSON_TYPE}${lengthOf(PREDICT_BODY)}\r\n${PREDICT_BODY}`,
  },
  '431 -> closed': {
    'target over 16 KiB: more than all headers may take': ask(`GET ${LONG.padEnd(20_000, 'x')} HTTP/1.1`),
  },
});
