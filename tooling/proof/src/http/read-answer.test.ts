import { expect, test } from 'vitest';
import { createByteQueue } from './byte-queue.ts';
import { readAnswer } from './read-answer.ts';

/** The answer in a text that arrives in packets of `length` bytes. */
async function read(text: string, { isHead = false, length = text.length } = {}) {
  const queue = createByteQueue();
  const reading = readAnswer(queue, isHead);
  for (let at = 0; at < text.length; at += length) queue.add(Buffer.from(text.slice(at, at + length), 'latin1'));
  queue.end();
  const { status, headers, body } = await reading;
  return { status, headers, body: String(body), rest: queue.rest() };
}

const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

test.each([
  ['its length', `${LENGTH}ab`, 'ab'],
  ['its last chunk', `${CHUNKED}6\r\n10\r\n\r\n\r\n3\r\nabc\r\n0\r\n\r\n`, '10\r\n\r\nabc'],
])('an answer ends after %s, for all packet lengths, and no proper prefix is an answer', async (_, whole, body) => {
  for (let length = 1; length <= whole.length; length++)
    expect(await read(`${whole}HTTP`, { length })).toMatchObject({ status: 200, body, rest: 'HTTP' });
  for (let length = 0; length < whole.length; length++)
    await expect(read(whole.slice(0, length))).rejects.toThrow('an answer was cut');
});

test('answers to HEAD, interim ones and those without content have no body', async () => {
  expect(await read(`${LENGTH}HTTP`, { isHead: true })).toMatchObject({ rest: 'HTTP' });
  expect(await read('HTTP/1.1 100 Continue\r\n\r\nHTTP')).toMatchObject({ rest: 'HTTP' });
  expect(await read('HTTP/1.1 204 No Content\r\n\r\nHTTP')).toMatchObject({ rest: 'HTTP' });
});

test('headers of one name are joined, and bytes that are no answer are an error', async () => {
  const { headers } = await read('HTTP/1.1 200 OK\r\nA: b\r\na: c\r\n\r\n');
  expect(headers.get('a')).toBe('b, c');
  await expect(read('HTTP/1.0 200 OK\r\n\r\n')).rejects.toThrow('no status line');
  await expect(read('HTTP/1.1 200 OK\r\nnone\r\n\r\n')).rejects.toThrow('no header');
});
