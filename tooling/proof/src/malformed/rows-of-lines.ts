import { ask, askWithToken, JSON_TYPE, lengthOf, type MalformedRow, PREDICT_BODY, predict } from './malformed-row.ts';

const OK = { answers: ['200'], leaves: 'open' } as const;
const PARSER = { answers: ['400'], leaves: 'closed' } as const;
const NO_ADDRESS = { answers: ['400 400.1'], leaves: 'open' } as const;
const NOT_FOUND = { answers: ['404 404'], leaves: 'open' } as const;
const NOT_ALLOWED = { answers: ['405 405'], leaves: 'open' } as const;

const LONG = '/healthz?';

/** Request lines, targets, versions and methods. */
export const ROWS_OF_LINES: readonly MalformedRow[] = [
  { name: 'target in absolute form', send: ask('GET http://y/healthz HTTP/1.1'), ...OK },
  { name: 'target in absolute form, scheme in capitals', send: ask('GET HTTP://y/healthz HTTP/1.1'), ...OK },
  { name: 'target in absolute form without a path', send: ask('GET http://y HTTP/1.1'), ...NOT_FOUND },
  { name: 'target in absolute form of another scheme', send: ask('GET ftp://y/healthz HTTP/1.1'), ...NO_ADDRESS },
  { name: 'target in asterisk form: no route, and no address either', send: ask('OPTIONS * HTTP/1.1'), ...NO_ADDRESS },
  { name: 'target in asterisk form with GET', send: ask('GET * HTTP/1.1'), ...NO_ADDRESS },
  { name: 'target in authority form with GET', send: ask('GET x:443 HTTP/1.1'), ...PARSER },
  { name: 'CONNECT', send: ask('CONNECT x:443 HTTP/1.1'), answers: ['400 400.1'], leaves: 'closed' },
  { name: 'CONNECT to a path', send: ask('CONNECT /healthz HTTP/1.1'), answers: ['400 400.1'], leaves: 'closed' },
  { name: 'no target', send: ask('GET HTTP/1.1'), ...PARSER },
  { name: 'space in a target', send: ask('GET /heal thz HTTP/1.1'), ...PARSER },
  { name: 'tabs between the words', send: ask('GET\t/healthz\tHTTP/1.1'), ...PARSER },
  { name: 'two spaces between the words, which a server may take', send: ask('GET  /healthz HTTP/1.1'), ...OK },
  {
    name: 'empty lines before a request, which a server should skip',
    send: (w) => `\r\n\r\n${ask('GET /healthz HTTP/1.1')(w)}`,
    ...OK,
  },
  { name: 'space before a request', send: (w) => ` ${ask('GET /healthz HTTP/1.1')(w)}`, ...PARSER },
  { name: 'bytes of TLS', send: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', ...PARSER },
  { name: 'HTTP/0.9', send: () => 'GET /healthz\r\n\r\n', answers: ['400 400.1'], leaves: 'closed' },
  { name: 'HTTP/1.0', send: ask('GET /healthz HTTP/1.0'), answers: ['200'], leaves: 'closed' },
  { name: 'HTTP/1.0 that is kept alive', send: ask('GET /healthz HTTP/1.0', 'Connection: keep-alive\r\n'), ...OK },
  {
    name: 'HTTP/1.0 without Host: there is no address',
    send: () => 'GET /healthz HTTP/1.0\r\n\r\n',
    answers: ['400 400.1'],
    leaves: 'closed',
  },
  { name: 'HTTP/1.2', send: ask('GET /healthz HTTP/1.2'), ...PARSER },
  { name: 'HTTP/3.1', send: ask('GET /healthz HTTP/3.1'), ...PARSER },
  { name: 'name of the protocol in small letters', send: ask('GET /healthz http/1.1'), ...PARSER },
  { name: 'another protocol', send: ask('GET /healthz HTTPS/1.1'), ...PARSER },
  { name: 'preface of HTTP/2', send: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ...PARSER },
  { name: 'method in small letters', send: ask('get /healthz HTTP/1.1'), ...PARSER },
  { name: 'method that the parser does not know', send: ask('FOO /healthz HTTP/1.1'), ...PARSER },
  { name: 'method that only the parser knows', send: ask('PROPFIND /healthz HTTP/1.1'), ...NOT_ALLOWED },
  { name: 'OPTIONS', send: ask('OPTIONS /healthz HTTP/1.1'), ...NOT_ALLOWED },
  { name: 'TRACE, before any token is asked for', send: ask('TRACE /auth-users/v1/x HTTP/1.1'), ...NOT_ALLOWED },
  { name: 'HEAD', send: ask('HEAD /healthz HTTP/1.1'), ...OK, isHead: true },
  {
    name: 'HEAD of what is not there',
    send: askWithToken('HEAD /auth-users/v1/x HTTP/1.1'),
    answers: ['404'],
    leaves: 'open',
    isHead: true,
  },
  { name: 'bytes beyond ASCII in a target', send: askWithToken('GET /auth-users/v1/\xc3\xa4 HTTP/1.1'), ...PARSER },
  { name: 'NUL in a target', send: askWithToken('GET /auth-users/v1/\0 HTTP/1.1'), ...PARSER },
  { name: '%00 in an id', send: askWithToken('GET /auth-users/v1/%00 HTTP/1.1'), ...NOT_FOUND },
  { name: '%2f in an id', send: askWithToken('GET /auth-users/v1/a%2fb HTTP/1.1'), ...NOT_FOUND },
  { name: '%2e%2e for an id', send: askWithToken('GET /auth-users/v1/%2e%2e HTTP/1.1'), ...NOT_FOUND },
  { name: 'two dots for an id', send: askWithToken('GET /auth-users/v1/.. HTTP/1.1'), ...NOT_FOUND },
  { name: 'two dots in a path, which are not resolved', send: ask('GET /x/../healthz HTTP/1.1'), ...NOT_FOUND },
  { name: 'percent and no digits in an id', send: askWithToken('GET /auth-users/v1/%zz HTTP/1.1'), ...NOT_FOUND },
  { name: 'percent at the end of an id', send: askWithToken('GET /auth-users/v1/a% HTTP/1.1'), ...NOT_FOUND },
  {
    name: 'percent-encoded byte that is no UTF-8',
    send: askWithToken('GET /auth-users/v1/%ff HTTP/1.1'),
    ...NOT_FOUND,
  },
  {
    name: 'percent-encoded letter in a route, which is matched as sent',
    send: ask('GET /%68ealthz HTTP/1.1'),
    ...NOT_FOUND,
  },
  { name: 'percent-encoded slash in a route', send: askWithToken('GET /auth-users%2fv1/x HTTP/1.1'), ...NOT_FOUND },
  { name: 'fragment in a target, which is left away', send: ask('GET /healthz#x HTTP/1.1'), ...OK },
  {
    name: 'backslash in a path, which no address has',
    send: askWithToken('GET /auth-users/v1/a\\b HTTP/1.1'),
    ...NO_ADDRESS,
  },
  { name: 'backslash in a query', send: ask('GET /healthz?a=\\ HTTP/1.1'), ...OK },
  { name: 'two slashes at the start', send: ask('GET //healthz HTTP/1.1'), ...NOT_FOUND },
  { name: 'slash at the end', send: ask('GET /healthz/ HTTP/1.1'), ...NOT_FOUND },
  { name: 'target of 2 KiB', send: ask(`GET ${LONG.padEnd(2048, 'x')} HTTP/1.1`), ...OK },
  {
    name: 'target of 2 KiB and a byte',
    send: ask(`GET ${LONG.padEnd(2049, 'x')} HTTP/1.1`),
    answers: ['414'],
    leaves: 'open',
  },
  {
    name: 'target of 2 KiB and a byte with a body',
    send: ({ host, auth, predict: target }) =>
      `POST ${`${target}?`.padEnd(2049, 'x')} HTTP/1.1\r\n${host}${auth}${JSON_TYPE}${lengthOf(PREDICT_BODY)}\r\n${PREDICT_BODY}`,
    answers: ['414'],
    leaves: 'open',
  },
  {
    name: 'target over 16 KiB: more than all headers may take',
    send: ask(`GET ${LONG.padEnd(20_000, 'x')} HTTP/1.1`),
    answers: ['431'],
    leaves: 'closed',
  },
  { name: 'predict with GET', send: (w) => predict(lengthOf(PREDICT_BODY))(w).replace('POST', 'GET'), ...NOT_ALLOWED },
];
