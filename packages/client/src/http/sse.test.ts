import { expect, test } from 'vitest';
import { parseSse } from './sse.ts';

const TEXT = ': events\n\nid: 1\ndata: {"a":"ä"}\n\n: events\nid: 2\n\nid: 3\ndata: [1]\n\nid: 4\ndata: cut off';

async function* piecesOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

test.each([1, 2, 3, 7, 1_000])('messages are the same in pieces of %i bytes', async (size) => {
  const messages = [];
  for await (const message of parseSse(piecesOf(new TextEncoder().encode(TEXT), size))) messages.push(message);
  expect(messages).toEqual([
    { id: '1', data: '{"a":"ä"}' },
    { id: '2', data: '' },
    { id: '3', data: '[1]' },
  ]);
});
