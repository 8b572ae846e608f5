import { describe, expect, test } from 'vitest';
import { createAnswerReader } from './answer-reader.ts';

const SIZED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"a":"\r\n"}\n';
const EMPTY = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n';
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\nA;x=y\r\n":"\r\n12345\r\n2\r\n"}\r\n0\r\n\r\n';
const ANSWERS = [
  [200, '{"a":"\r\n"}\n'],
  [404, ''],
  [200, '{"a":"\r\n12345"}'],
];

describe('createAnswerReader', () => {
  const stream = Buffer.from(SIZED + EMPTY + CHUNKED);

  test.each([1, 2, 3, 7, 50, stream.length])('reads answers in pieces of %i bytes', (length) => {
    const answers: unknown[] = [];
    const read = createAnswerReader(({ status, parts }) => answers.push([status, String(Buffer.concat(parts))]));
    for (let at = 0; at < stream.length; at += length) read(stream.subarray(at, at + length));
    expect(answers).toEqual(ANSWERS);
  });

  test('does not complete an answer before its last byte', () => {
    const answers: unknown[] = [];
    const read = createAnswerReader((answer) => answers.push(answer));
    read(Buffer.from(CHUNKED).subarray(0, -1));
    expect(answers).toEqual([]);
  });

  test('rejects an answer without a length', () => {
    expect(() => createAnswerReader(() => {})(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('without a length');
  });
});
