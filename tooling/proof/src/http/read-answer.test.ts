import { expect, test } from 'vitest';
import { readAnswer } from './answer-reader.ts';

const read = (text: string, isHead = false) => {
  const found = readAnswer(Buffer.from(text, 'latin1'), { isHead });
  return found === null
    ? null
    : { status: found.answer.status, body: String(found.answer.body), rest: String(found.rest) };
};

test('an answer ends after its length or its last chunk', () => {
  expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP')).toEqual({ status: 200, body: 'ab', rest: 'HTTP' });
  const chunks = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\nrest';
  expect(read(chunks)).toEqual({ status: 200, body: 'abc', rest: 'rest' });
});

test('answers to HEAD, interim ones and those without content have no body', () => {
  expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nHTTP', true)?.rest).toBe('HTTP');
  expect(read('HTTP/1.1 100 Continue\r\n\r\nHTTP')?.rest).toBe('HTTP');
  expect(read('HTTP/1.1 204 No Content\r\n\r\nHTTP')?.rest).toBe('HTTP');
});

test('no proper prefix of an answer is returned as an answer', () => {
  for (const whole of [
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
  ])
    for (let length = 0; length < whole.length; length++) expect(read(whole.slice(0, length))).toBeNull();
});

test('headers of one name are joined, and bytes that are no answer are an error', () => {
  const { headers } =
    readAnswer(Buffer.from('HTTP/1.1 200 OK\r\nA: b\r\na: c\r\n\r\n'), { isHead: false })?.answer ?? {};
  expect(headers?.get('a')).toBe('b, c');
  expect(() => read('HTTP/1.0 200 OK\r\n\r\n')).toThrow('no status line');
  expect(() => read('HTTP/1.1 200 OK\r\nnone\r\n\r\n')).toThrow('no header');
});
