import { describe, expect, test } from 'vitest';
import { inChunks, joinShort } from './pieces.ts';

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

async function chunksOf(...texts: readonly string[]): Promise<readonly string[]> {
  const chunks: string[] = [];
  for await (const chunk of inChunks(pieces(...texts))) chunks.push(chunk);
  return chunks;
}

describe('chunks', () => {
  test('join short pieces until they have 65,536 characters', async () => {
    const text = 'x'.repeat(30_000);
    expect(await chunksOf(text, text, text, text)).toEqual([text + text + text, text]);
    expect(await chunksOf('a', 'b', 'c')).toEqual(['abc']);
  });

  test('of nothing are none, and none is empty', async () => {
    expect(await chunksOf()).toEqual([]);
    expect(await chunksOf('x'.repeat(65_536))).toEqual(['x'.repeat(65_536)]);
    expect(await chunksOf('', '')).toEqual([]);
  });

  test('end the pieces when their reader leaves', async () => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(65_536);
      } finally {
        isEnded = true;
      }
    }
    for await (const _ of inChunks(endless())) break;
    expect(isEnded).toBe(true);
  });
});

describe('a text that may be short', () => {
  test('is a string if it has one piece or none', async () => {
    expect(await joinShort(pieces())).toBe('');
    expect(await joinShort(pieces('one'))).toBe('one');
  });

  test('keeps its pieces if it has more', async () => {
    const found: string[] = [];
    for await (const piece of await joinShort(pieces('a', 'b', 'c'))) found.push(piece);
    expect(found).toEqual(['a', 'b', 'c']);
  });

  test('rejects if its first pieces cannot be made, and ends with its reader', async () => {
    let ends = 0;
    async function* failing(): AsyncGenerator<string> {
      try {
        yield 'a';
        yield 'b';
        throw new Error('no storage');
      } finally {
        ends += 1;
      }
    }
    const text = await joinShort(failing());
    for await (const _ of text) break;
    expect(ends).toBe(1);
    async function* broken(): AsyncGenerator<string> {
      yield 'a';
      throw new Error('no storage');
    }
    await expect(joinShort(broken())).rejects.toThrow('no storage');
  });
});
