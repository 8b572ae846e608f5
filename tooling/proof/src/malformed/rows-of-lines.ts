import { AUTH, ask, each, HOST, JSON_TYPE, lengthOf, PREDICT_BODY, predict, rows } from './malformed-row.ts';

const GOOD = 'GET /healthz HTTP/1.1';

const lines = (...values: readonly string[]) => each('line', values, (line) => ask(line));
const targets = (...values: readonly string[]) => each('target', values, (target) => ask(`GET ${target} HTTP/1.1`));
const ids = (...values: readonly string[]) =>
  each('id', values, (id) => ask(`GET /auth-users/v1/${id} HTTP/1.1`, AUTH));

/** Request lines, targets, versions and methods. */
export const ROWS_OF_LINES = rows({
  '200 -> open': {
    // A fragment is dropped.
    ...targets('http://x/healthz', 'HTTP://X:80/healthz', '/healthz#x', '/healthz?a=\\', '/healthz?'.padEnd(2048, 'x')),
    'two spaces between the words, which a server may accept': ask('GET  /healthz HTTP/1.1'),
    'empty lines before a request, which a server should skip': `\r\n\r\n${ask(GOOD)}`,
    'HTTP/1.0 that is kept alive': ask('GET /healthz HTTP/1.0', 'Connection: keep-alive\r\n'),
    HEAD: ask('HEAD /healthz HTTP/1.1'),
  },
  // The page at `/` leads to another one.
  '303 -> open': targets('http://x', 'http://x?/healthz'),
  '404 404 -> open': {
    // Paths are neither decoded nor resolved before they are matched.
    ...targets('/x/../healthz', '/%68ealthz', '//healthz', '/healthz/'),
    ...ids('%00', 'a%2fb', '%2e%2e', '..', '%zz', 'a%', '%ff'),
    'percent-encoded slash in a route': ask('GET /auth-users%2fv1/x HTTP/1.1', AUTH),
  },
  '404 -> open': {
    'HEAD of an unknown id': ask('HEAD /auth-users/v1/x HTTP/1.1', AUTH),
  },
  '400 400.1 -> open': {
    ...targets('ftp://x/healthz', '*', 'http://y/healthz', 'https://x@y/healthz', 'http://u@x/healthz'),
    ...lines('OPTIONS * HTTP/1.1'),
    ...ids('a\\b'),
  },
  '400 -> closed': {
    ...targets('x:443', '/heal thz'),
    ...ids('\xc3\xa4', '\0'),
    ...lines('GET HTTP/1.1', 'GET\t/healthz\tHTTP/1.1', 'get /healthz HTTP/1.1', 'FOO /healthz HTTP/1.1'),
    ...each('version', ['HTTP/1.2', 'HTTP/3.1', 'http/1.1', 'HTTPS/1.1'], (version) => ask(`GET /healthz ${version}`)),
    'space before a request': ` ${ask(GOOD)}`,
    'bytes of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  },
  '400 400.1 -> closed': {
    ...lines('CONNECT x:443 HTTP/1.1', 'CONNECT /healthz HTTP/1.1'),
    'HTTP/0.9': 'GET /healthz\r\n\r\n',
  },
  '200 -> closed': {
    'HTTP/1.0': ask('GET /healthz HTTP/1.0'),
    'HTTP/1.0 without Host': 'GET /healthz HTTP/1.0\r\n\r\n',
  },
  '405 405 -> open': {
    // The method is refused before a token is required.
    ...lines('PROPFIND /healthz HTTP/1.1', 'OPTIONS /healthz HTTP/1.1', 'TRACE /auth-users/v1/x HTTP/1.1'),
    'predict with GET': predict(lengthOf(PREDICT_BODY)).replace('POST', 'GET'),
  },
  '414 -> open': {
    'target of 2 KiB and a byte': ask(`GET ${'/healthz?'.padEnd(2049, 'x')} HTTP/1.1`),
    'target of 2 KiB and a byte with a body': `POST ${'/sod-violations/v1/predict?'.padEnd(2049, 'x')} HTTP/1.1\r\n${HOST}${AUTH}${JSON_TYPE}${lengthOf(PREDICT_BODY)}\r\n${PREDICT_BODY}`,
  },
  '431 -> closed': {
    'target over 16 KiB, the limit of all headers': ask(`GET ${'/healthz?'.padEnd(20_000, 'x')} HTTP/1.1`),
  },
});
