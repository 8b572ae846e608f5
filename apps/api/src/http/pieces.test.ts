import { describe, expect, test } from 'vitest';
import { inChunks } from './pieces.ts';

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
