import { expect, test } from 'vitest';
import { createAnswerReader } from './answer-reader.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

/** The answer that is read from packets of `length` bytes. */
function collect(text: string, length: number) {
  const take = createAnswerReader(false);
  for (let at = 0; at < text.length; at += length) {
    const read = take(Buffer.from(text.slice(at, at + length), 'latin1'));
    if (read !== null) return { at, body: String(read.answer.body), rest: String(read.rest) };
  }
  return null;
}

test('a chunked answer is returned with the packet that completes it, for all packet lengths', () => {
  const text = `${HEAD}6\r\n10\r\n\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
  for (let length = 1; length <= text.length; length++)
    expect(collect(text, length)).toEqual({
      at: Math.floor((text.length - 1) / length) * length,
      body: '10\r\n\r\nabc',
      rest: '',
    });
});

test('bytes after the answer are returned', () => {
  expect(collect(`${HEAD}0\r\n\r\nHTTP`, 1_000)?.rest).toBe('HTTP');
});

test('an answer with a length is returned with its last byte', () => {
  for (let length = 1; length < 45; length++)
    expect(collect('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd', length)?.body).toBe('abcd');
});

test('reading a long answer takes about as long as receiving it', () => {
  const chunk = `${(1_024).toString(16)}\r\n${'x'.repeat(1_024)}\r\n`;
  const take = createAnswerReader(false);
  take(Buffer.from(HEAD));
  const startMs = performance.now();
  for (let packet = 0; packet < 50_000; packet++) take(Buffer.from(chunk));
  expect(take(Buffer.from('0\r\n\r\n'))?.answer.body).toHaveLength(50_000 * 1_024);
  expect(performance.now() - startMs).toBeLessThan(20_000);
});
