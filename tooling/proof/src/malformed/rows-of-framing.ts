import { ask, chunk, each, HIDDEN, lengthOf, PREDICT_BODY, predict, rows } from './malformed-row.ts';

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const WHOLE = `${chunk(PREDICT_BODY)}0\r\n\r\n`;
const SIZE = PREDICT_BODY.length.toString(16);
const LENGTH = lengthOf(PREDICT_BODY);
const GET = 'GET /healthz HTTP/1.1';

const inChunks = (body: string) => predict(CHUNKED, body);
const coded = (coding: string) => predict(`Transfer-Encoding: ${coding}\r\n`, WHOLE);
const sized = (length: string) => predict(`Content-Length: ${length}\r\n`);
/** A first chunk with this size line, and the last chunk. */
const withSize = (size: string) => inChunks(`${size}\r\n${PREDICT_BODY}\r\n0\r\n\r\n`);
/** A request with another request as its body. */
const hiding = (line: string) => ask(line, lengthOf(HIDDEN), HIDDEN);
/** The bytes of a request one by one; the token is one piece. */
const byteByByte = (request: string): readonly string[] => request.match(/<\w+>|[\s\S]/g) ?? [];

/** Framing of bodies: nothing in a body is read as a request. */
export const ROWS_OF_FRAMING = rows({
  '400 -> closed': {
    'Content-Length twice, equal': predict(LENGTH + LENGTH),
    'Content-Length twice, differing': predict(`${LENGTH}Content-Length: 5\r\n`),
    ...each('Content-Length', ['39, 39', '-1', '+39', '0x27', '3 9', '39.0', '', '99999999999999999999'], sized),
    'Content-Length and Transfer-Encoding': predict(LENGTH + CHUNKED, WHOLE),
    'Transfer-Encoding and Content-Length': predict(CHUNKED + LENGTH, WHOLE),
    'Content-Length 4 and chunks with a request in them': predict(
      `Content-Length: 4\r\n${CHUNKED}`,
      `${chunk(HIDDEN)}0\r\n\r\n`,
    ),
    ...each('coding', ['chunked, identity', 'identity', 'gzip', 'chunked, chunked', 'xchunked'], coded),
    ...each('coding', ['chunked;a=b', '\x0bchunked'], coded),
    'Transfer-Encoding: gzip and no Host, which are refused once': `POST /healthz HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n`,
    'Transfer-Encoding: chunked twice': predict(CHUNKED + CHUNKED, WHOLE),
    'Transfer-Encoding with a space before the colon': predict('Transfer-Encoding : chunked\r\n', WHOLE),
    ...each('chunk size', ['-1', 'fffffffffffffffff', `0x${SIZE}`, '', `${SIZE} `], withSize),
    'chunk extension that a bare LF ends': inChunks(`${SIZE};a\n${PREDICT_BODY}\r\n0\r\n\r\n`),
    'chunk without a line end': inChunks(`${SIZE}\r\n${PREDICT_BODY}0\r\n\r\n`),
    'chunks with bare LFs': inChunks(`${SIZE}\n${PREDICT_BODY}\n0\n\n`),
    'trailer with a Content-Length': inChunks(`${chunk(PREDICT_BODY)}0\r\nContent-Length: 5\r\n\r\n`),
  },
  '404 404 -> open': {
    'Content-Length with zeros before it': sized('00039'),
    'one byte at a time': byteByByte(predict(LENGTH)),
    'one byte at a time, in chunks': byteByByte(inChunks(WHOLE)),
    ...each('coding', ['chunked', 'CHUNKED'], coded),
    'chunk extensions, which are ignored': inChunks(`${SIZE};a="b;c"\r\n${PREDICT_BODY}\r\n0;z\r\n\r\n`),
    'trailer, which is ignored': inChunks(`${chunk(PREDICT_BODY)}0\r\nX-Trailer: 1\r\n\r\n`),
    'request in a body without a route': hiding('POST /nowhere HTTP/1.1'),
  },
  '404 404 -> closed': {
    'chunks in a request of HTTP/1.0, with invalid framing': inChunks(WHOLE).replace('HTTP/1.1', 'HTTP/1.0'),
  },
  '400 400.1 -> open': {
    'Transfer-Encoding: gzip, chunked, of which gzip is not supported': coded('gzip, chunked'),
    'request in a body of JSON': predict(lengthOf(HIDDEN), HIDDEN),
  },
  '413 -> closed': {
    'chunk extensions over 16 KiB': withSize(`${SIZE};${'a'.repeat(20_000)}`),
  },
  '431 -> closed': {
    'trailer over 16 KiB': inChunks(`${chunk(PREDICT_BODY)}0\r\n${'X-T: 1\r\n'.repeat(4000)}\r\n`),
  },
  '413 413 -> open': {
    'chunks one byte over 256 KiB': inChunks(`${chunk(' '.repeat(262_145))}0\r\n\r\n`),
  },
  '200 -> open': {
    'request in the body of a GET': hiding(GET),
    'request in the chunks of a GET': ask(GET, CHUNKED, `${chunk(HIDDEN)}0\r\n\r\n`),
    'request in the body of a HEAD': hiding('HEAD /healthz HTTP/1.1'),
  },
  '405 405 -> open': {
    'request in a body of a method that is not allowed': hiding('DELETE /healthz HTTP/1.1'),
  },
  '401 401 -> open': {
    'request in a body without a token': hiding('POST /sod-violations/v1/predict<query> HTTP/1.1'),
  },
  '415 415 -> open': {
    'request in a body of another type': predict(lengthOf(HIDDEN), HIDDEN, 'Content-Type: text/plain\r\n'),
  },
  '400 400.1 | 200 -> open': {
    'request after a POST without a length, which has no body': predict('', HIDDEN),
  },
  '404 404 | 200 -> open': {
    'request after a body, which is the next one': predict(LENGTH, PREDICT_BODY + HIDDEN),
  },
  '404 404 | 400 -> closed': {
    'body longer than its length: the rest is no request': predict(LENGTH, `${PREDICT_BODY}junk\r\n\r\n`),
  },
  '400 -> closed, ends': {
    'body shorter than its length, then the end': sized('100'),
    'chunks without an end': inChunks(chunk(PREDICT_BODY)),
    'headers without an end': 'GET /healthz HTTP/1.1\r\nHost: x\r\n',
  },
  'no answer -> closed, ends': {
    'nothing at all': '',
  },
  '200 -> closed, ends': {
    'whole request and then the end': ask(GET),
  },
  '200 | 404 404 | 405 405 | 200 -> open': {
    'pipelined requests, answered in their order': ['GET /healthz', 'GET /nowhere', 'DELETE /healthz', 'GET /readyz']
      .map((line) => ask(`${line} HTTP/1.1`))
      .join(''),
  },
  '200 | 400 -> closed': {
    'malformed request after a good one': `${ask(GET)}none\r\n\r\n`,
  },
  '200 -> closed': {
    'request after one that closes the connection, which is ignored': ask(GET, 'Connection: close\r\n') + ask(GET),
  },
});
