import { ask, chunk, HIDDEN, lengthOf, type MalformedRow, PREDICT_BODY, predict } from './malformed-row.ts';

const PARSER = { answers: ['400'], leaves: 'closed' } as const;
/** The request was understood: the identity that it names is not there. */
const TAKEN = { answers: ['404 404'], leaves: 'open' } as const;
const OK = { answers: ['200'], leaves: 'open' } as const;

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const WHOLE = `${chunk(PREDICT_BODY)}0\r\n\r\n`;
const SIZE = PREDICT_BODY.length.toString(16);
const LENGTH = lengthOf(PREDICT_BODY);

const inChunks = (body: string) => predict(CHUNKED, body);
const coded = (coding: string) => predict(`Transfer-Encoding: ${coding}\r\n`, WHOLE);
const sized = (length: string) => predict(`Content-Length: ${length}\r\n`);

/** Where a body ends, and that nothing in it is taken for a request. */
export const ROWS_OF_FRAMING: readonly MalformedRow[] = [
  { name: 'Content-Length twice, equal', send: predict(LENGTH + LENGTH), ...PARSER },
  { name: 'Content-Length twice, differing', send: predict(`${LENGTH}Content-Length: 5\r\n`), ...PARSER },
  { name: 'Content-Length as a list', send: sized('39, 39'), ...PARSER },
  { name: 'Content-Length below zero', send: sized('-1'), ...PARSER },
  { name: 'Content-Length with a plus', send: sized('+39'), ...PARSER },
  { name: 'Content-Length in hexadecimal', send: sized('0x27'), ...PARSER },
  { name: 'Content-Length with a space in it', send: sized('3 9'), ...PARSER },
  { name: 'Content-Length with a fraction', send: sized('39.0'), ...PARSER },
  { name: 'Content-Length that is empty', send: sized(''), ...PARSER },
  { name: 'Content-Length beyond 64 bits', send: sized('99999999999999999999'), ...PARSER },
  { name: 'Content-Length with zeros before it', send: sized('00039'), ...TAKEN, lanes: true },
  { name: 'Content-Length and Transfer-Encoding', send: predict(LENGTH + CHUNKED, WHOLE), ...PARSER },
  { name: 'Transfer-Encoding and Content-Length', send: predict(CHUNKED + LENGTH, WHOLE), ...PARSER },
  {
    name: 'Content-Length 4 and chunks with a request in them',
    send: predict(`Content-Length: 4\r\n${CHUNKED}`, `${chunk(HIDDEN)}0\r\n\r\n`),
    ...PARSER,
  },
  { name: 'chunks', send: inChunks(WHOLE), ...TAKEN },
  { name: 'chunks, the coding in capitals', send: coded('CHUNKED'), ...TAKEN },
  {
    name: 'chunks in a request of HTTP/1.0, whose framing is faulty',
    send: (w) => inChunks(WHOLE)(w).replace('HTTP/1.1', 'HTTP/1.0'),
    answers: ['404 404'],
    leaves: 'closed',
  },
  { name: 'Transfer-Encoding: chunked, identity', send: coded('chunked, identity'), ...PARSER },
  { name: 'Transfer-Encoding: identity', send: coded('identity'), ...PARSER },
  { name: 'Transfer-Encoding: gzip', send: coded('gzip'), ...PARSER },
  {
    name: 'Transfer-Encoding: gzip and no Host, which are refused once',
    send: () => 'POST /healthz HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n',
    ...PARSER,
  },
  {
    name: 'Transfer-Encoding: gzip, chunked: a coding that is not understood',
    send: coded('gzip, chunked'),
    answers: ['400 400.1'],
    leaves: 'open',
  },
  { name: 'Transfer-Encoding: chunked, chunked', send: coded('chunked, chunked'), ...PARSER },
  { name: 'Transfer-Encoding: chunked twice', send: predict(CHUNKED + CHUNKED, WHOLE), ...PARSER },
  { name: 'Transfer-Encoding: xchunked', send: coded('xchunked'), ...PARSER },
  { name: 'Transfer-Encoding: chunked with a parameter', send: coded('chunked;a=b'), ...PARSER },
  { name: 'Transfer-Encoding with a vertical tab', send: coded('\x0bchunked'), ...PARSER },
  {
    name: 'Transfer-Encoding with a space before the colon',
    send: predict('Transfer-Encoding : chunked\r\n', WHOLE),
    ...PARSER,
  },
  { name: 'chunk size below zero', send: inChunks(`-1\r\n${PREDICT_BODY}\r\n0\r\n\r\n`), ...PARSER },
  { name: 'chunk size beyond 64 bits', send: inChunks(`fffffffffffffffff\r\n${PREDICT_BODY}\r\n0\r\n\r\n`), ...PARSER },
  { name: 'chunk size with 0x', send: inChunks(`0x${SIZE}\r\n${PREDICT_BODY}\r\n0\r\n\r\n`), ...PARSER },
  { name: 'no chunk size', send: inChunks(`\r\n${PREDICT_BODY}\r\n0\r\n\r\n`), ...PARSER },
  { name: 'chunk size with a space after it', send: inChunks(`${SIZE} \r\n${PREDICT_BODY}\r\n0\r\n\r\n`), ...PARSER },
  {
    name: 'chunk extensions, which are ignored',
    send: inChunks(`${SIZE};a="b;c"\r\n${PREDICT_BODY}\r\n0;z\r\n\r\n`),
    ...TAKEN,
  },
  {
    name: 'chunk extensions over 16 KiB',
    send: inChunks(`${SIZE};${'a'.repeat(20_000)}\r\n${PREDICT_BODY}\r\n0\r\n\r\n`),
    answers: ['413'],
    leaves: 'closed',
  },
  { name: 'chunk extension that a bare LF ends', send: inChunks(`${SIZE};a\n${PREDICT_BODY}\r\n0\r\n\r\n`), ...PARSER },
  { name: 'chunk without a line end', send: inChunks(`${SIZE}\r\n${PREDICT_BODY}0\r\n\r\n`), ...PARSER },
  { name: 'chunks with bare LFs', send: inChunks(`${SIZE}\n${PREDICT_BODY}\n0\n\n`), ...PARSER },
  { name: 'trailer, which is ignored', send: inChunks(`${chunk(PREDICT_BODY)}0\r\nX-Trailer: 1\r\n\r\n`), ...TAKEN },
  {
    name: 'trailer with a Content-Length',
    send: inChunks(`${chunk(PREDICT_BODY)}0\r\nContent-Length: 5\r\n\r\n`),
    ...PARSER,
  },
  {
    name: 'trailer over 16 KiB',
    send: inChunks(`${chunk(PREDICT_BODY)}0\r\n${'X-T: 1\r\n'.repeat(4000)}\r\n`),
    answers: ['431'],
    leaves: 'closed',
  },
  {
    name: 'chunks one byte over 256 KiB',
    send: inChunks(`${chunk(' '.repeat(262_145))}0\r\n\r\n`),
    answers: ['413 413'],
    leaves: 'open',
  },
  { name: 'request in the body of a GET', send: ask('GET /healthz HTTP/1.1', lengthOf(HIDDEN), HIDDEN), ...OK },
  {
    name: 'request in the chunks of a GET',
    send: ask('GET /healthz HTTP/1.1', CHUNKED, `${chunk(HIDDEN)}0\r\n\r\n`),
    ...OK,
  },
  {
    name: 'request in the body of a HEAD',
    send: ask('HEAD /healthz HTTP/1.1', lengthOf(HIDDEN), HIDDEN),
    ...OK,
    isHead: true,
  },
  {
    name: 'request in a body without a route',
    send: ask('POST /nowhere HTTP/1.1', lengthOf(HIDDEN), HIDDEN),
    ...TAKEN,
  },
  {
    name: 'request in a body of a method that is not allowed',
    send: ask('DELETE /healthz HTTP/1.1', lengthOf(HIDDEN), HIDDEN),
    answers: ['405 405'],
    leaves: 'open',
  },
  {
    name: 'request in a body without a token',
    send: ask('POST /sod-violations/v1/predict HTTP/1.1', lengthOf(HIDDEN), HIDDEN),
    answers: ['401 401'],
    leaves: 'open',
  },
  {
    name: 'request in a body of another type',
    send: predict(lengthOf(HIDDEN), HIDDEN, 'Content-Type: text/plain\r\n'),
    answers: ['415 415'],
    leaves: 'open',
    lanes: true,
  },
  {
    name: 'request in a body that is taken',
    send: predict(lengthOf(HIDDEN), HIDDEN),
    answers: ['400 400.1'],
    leaves: 'open',
    lanes: true,
  },
  {
    name: 'request behind a POST without a length, which has no body',
    send: predict('', HIDDEN),
    answers: ['400 400.1', '200'],
    leaves: 'open',
  },
  {
    name: 'request behind a body, which is the next one',
    send: predict(LENGTH, PREDICT_BODY + HIDDEN),
    answers: ['404 404', '200'],
    leaves: 'open',
    lanes: true,
  },
  {
    name: 'body longer than it says: the rest is no request',
    send: predict(LENGTH, `${PREDICT_BODY}junk\r\n\r\n`),
    answers: ['404 404', '400'],
    leaves: 'closed',
    lanes: true,
  },
  { name: 'body shorter than it says, then the end', send: sized('100'), ...PARSER, ends: true, lanes: true },
  { name: 'chunks without an end', send: inChunks(chunk(PREDICT_BODY)), ...PARSER, ends: true },
  { name: 'headers without an end', send: () => 'GET /healthz HTTP/1.1\r\nHost: x\r\n', ...PARSER, ends: true },
  { name: 'nothing at all', send: () => '', answers: [], leaves: 'closed', ends: true },
  {
    name: 'whole request and then the end',
    send: ask('GET /healthz HTTP/1.1'),
    answers: ['200'],
    leaves: 'closed',
    ends: true,
  },
  {
    name: 'pipelined requests, answered in their order',
    send: (w) =>
      ['GET /healthz', 'GET /nowhere', 'DELETE /healthz', 'GET /readyz']
        .map((line) => ask(`${line} HTTP/1.1`)(w))
        .join(''),
    answers: ['200', '404 404', '405 405', '200'],
    leaves: 'open',
  },
  {
    name: 'request behind a good one that is none',
    send: (w) => `${ask('GET /healthz HTTP/1.1')(w)}none\r\n\r\n`,
    answers: ['200', '400'],
    leaves: 'closed',
  },
  {
    name: 'request behind one that closes, which is not looked at',
    send: (w) => ask('GET /healthz HTTP/1.1', 'Connection: close\r\n')(w) + ask('GET /healthz HTTP/1.1')(w),
    answers: ['200'],
    leaves: 'closed',
  },
  { name: 'one byte at a time', send: (w) => [...predict(LENGTH)(w)], ...TAKEN, lanes: true },
  { name: 'one byte at a time, in chunks', send: (w) => [...inChunks(WHOLE)(w)], ...TAKEN },
];
