import { ask, chunk, HIDDEN, lengthOf, PREDICT_BODY, predict, rows } from './malformed-row.ts';

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const WHOLE = `${chunk(PREDICT_BODY)}0\r\n\r\n`;
const SIZE = PREDICT_BODY.length.toString(16);
const LENGTH = lengthOf(PREDICT_BODY);

const inChunks = (body: string) => predict(CHUNKED, body);
const coded = (coding: string) => predict(`Transfer-Encoding: ${coding}\r\n`, WHOLE);
const sized = (length: string) => predict(`Content-Length: ${length}\r\n`);

/** Framing of bodies: nothing in a body is read as a request. */
export const ROWS_OF_FRAMING = rows({
  '400 -> closed': {
    'Content-Length twice, equal': predict(LENGTH + LENGTH),
    'Content-Length twice, differing': predict(`${LENGTH}Content-Length: 5\r\n`),
    'Content-Length as a list': sized('39, 39'),
    'Content-Length below zero': sized('-1'),
    'Content-Length with a plus': sized('+39'),
    'Content-Length in hexadecimal': sized('0x27'),
    'Content-Length with a space in it': sized('3 9'),
    'Content-Length with a fraction': sized('39.0'),
    'Content-Length that is empty': sized(''),
    'Content-Length beyond 64 bits': sized('99999999999999999999'),
    'Content-Length and Transfer-Encoding': predict(LENGTH + CHUNKED, WHOLE),
    'Transfer-Encoding and Content-Length': predict(CHUNKED + LENGTH, WHOLE),
    'Content-Length 4 and chunks with a request in them': predict(
      `Content-Length: 4\r\n${CHUNKED}`,
      `${chunk(HIDDEN)}0\r\n\r\n`,
    ),
    'Transfer-Encoding: chunked, identity': coded('chunked, identity'),
    'Transfer-Encoding: identity': coded('identity'),
    'Transfer-Encoding: gzip': coded('gzip'),
    'Transfer-Encoding: gzip and no Host, which are refused once': () =>
      'POST /healthz HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n',
    'Transfer-Encoding: chunked, chunked': coded('chunked, chunked'),
    'Transfer-Encoding: chunked twice': predict(CHUNKED + CHUNKED, WHOLE),
    'Transfer-Encoding: xchunked': coded('xchunked'),
    'Transfer-Encoding: chunked with a parameter': coded('chunked;a=b'),
    'Transfer-Encoding with a vertical tab': coded('\x0bchunked'),
    'Transfer-Encoding with a space before the colon': predict('Transfer-Encoding : chunked\r\n', WHOLE),
    'chunk size below zero': inChunks(`-1\r\n${PREDICT_BODY}\r\n0\r\n\r\n`),
    'chunk size beyond 64 bits': inChunks(`fffffffffffffffff\r\n${PREDICT_BODY}\r\n0\r\n\r\n`),
    'chunk size with 0x': inChunks(`0x${SIZE}\r\n${PREDICT_BODY}\r\n0\r\n\r\n`),
    'no chunk size': inChunks(`\r\n${PREDICT_BODY}\r\n0\r\n\r\n`),
    'chunk size with a space after it': inChunks(`${SIZE} \r\n${PREDICT_BODY}\r\n0\r\n\r\n`),
    'chunk extension that a bare LF ends': inChunks(`${SIZE};a\n${PREDICT_BODY}\r\n0\r\n\r\n`),
    'chunk without a line end': inChunks(`${SIZE}\r\n${PREDICT_BODY}0\r\n\r\n`),
    'chunks with bare LFs': inChunks(`${SIZE}\n${PREDICT_BODY}\n0\n\n`),
    'trailer with a Content-Length': inChunks(`${chunk(PREDICT_BODY)}0\r\nContent-Length: 5\r\n\r\n`),
  },
  '404 404 -> open, lanes': {
    'Content-Length with zeros before it': sized('00039'),
    'one byte at a time': (w) => [...predict(LENGTH)(w)],
  },
  '404 404 -> open': {
    chunks: inChunks(WHOLE),
    'chunks, the coding in capitals': coded('CHUNKED'),
    'chunk extensions, which are ignored': inChunks(`${SIZE};a="b;c"\r\n${PREDICT_BODY}\r\n0;z\r\n\r\n`),
    'trailer, which is ignored': inChunks(`${chunk(PREDICT_BODY)}0\r\nX-Trailer: 1\r\n\r\n`),
    'request in a body without a route': ask('POST /nowhere HTTP/1.1', lengthOf(HIDDEN), HIDDEN),
    'one byte at a time, in chunks': (w) => [...inChunks(WHOLE)(w)],
  },
  '404 404 -> closed': {
    'chunks in a request of HTTP/1.0, with invalid framing': (w) => inChunks(WHOLE)(w).replace('HTTP/1.1', 'HTTP/1.0'),
  },
  '400 400.1 -> open': {
    'Transfer-Encoding: gzip, chunked: a coding that is not understood': coded('gzip, chunked'),
  },
  '413 -> closed': {
    'chunk extensions over 16 KiB': inChunks(`${SIZE};${'a'.repeat(20_000)}\r\n${PREDICT_BODY}\r\n0\r\n\r\n`),
  },
  '431 -> closed': {
    'trailer over 16 KiB': inChunks(`${chunk(PREDICT_BODY)}0\r\n${'X-T: 1\r\n'.repeat(4000)}\r\n`),
  },
  '413 413 -> open': {
    'chunks one byte over 256 KiB': inChunks(`${chunk(' '.repeat(262_145))}0\r\n\r\n`),
  },
  '200 -> open': {
    'request in the body of a GET': ask('GET /healthz HTTP/1.1', lengthOf(HIDDEN), HIDDEN),
    'request in the chunks of a GET': ask('GET /healthz HTTP/1.1', CHUNKED, `${chunk(HIDDEN)}0\r\n\r\n`),
  },
  '200 -> open, isHead': {
    'request in the body of a HEAD': ask('HEAD /healthz HTTP/1.1', lengthOf(HIDDEN), HIDDEN),
  },
  '405 405 -> open': {
    'request in a body of a method that is not allowed': ask('DELETE /healthz HTTP/1.1', lengthOf(HIDDEN), HIDDEN),
  },
  '401 401 -> open': {
    'request in a body without a token': ask('POST /sod-violations/v1/predict HTTP/1.1', lengthOf(HIDDEN), HIDDEN),
  },
  '415 415 -> open, lanes': {
    'request in a body of another type': predict(lengthOf(HIDDEN), HIDDEN, 'Content-Type: text/plain\r\n'),
  },
  '400 400.1 -> open, lanes': {
    'request in a body that is taken': predict(lengthOf(HIDDEN), HIDDEN),
  },
  '400 400.1 | 200 -> open': {
    'request behind a POST without a length, which has no body': predict('', HIDDEN),
  },
  '404 404 | 200 -> open, lanes': {
    'request behind a body, which is the next one': predict(LENGTH, PREDICT_BODY + HIDDEN),
  },
  '404 404 | 400 -> closed, lanes': {
    'body longer than it says: the rest is no request': predict(LENGTH, `${PREDICT_BODY}junk\r\n\r\n`),
  },
  '400 -> closed, ends, lanes': {
    'body shorter than it says, then the end': sized('100'),
  },
  '400 -> closed, ends': {
    'chunks without an end': inChunks(chunk(PREDICT_BODY)),
    'headers without an end': () => 'GET /healthz HTTP/1.1\r\nHost: x\r\n',
  },
  'no answer -> closed, ends': {
    'nothing at all': () => '',
  },
  '200 -> closed, ends': {
    'whole request and then the end': ask('GET /healthz HTTP/1.1'),
  },
  '200 | 404 404 | 405 405 | 200 -> open': {
    'pipelined requests, answered in their order': (w) =>
      ['GET /healthz', 'GET /nowhere', 'DELETE /healthz', 'GET /readyz']
        .map((line) => ask(`${line} HTTP/1.1`)(w))
        .join(''),
  },
  '200 | 400 -> closed': {
    'request behind a good one that is none': (w) => `${ask('GET /healthz HTTP/1.1')(w)}none\r\n\r\n`,
  },
  '200 -> closed': {
    'request behind one that closes, which is not looked at': (w) =>
      ask('GET /healthz HTTP/1.1', 'Connection: close\r\n')(w) + ask('GET /healthz HTTP/1.1')(w),
  },
});
