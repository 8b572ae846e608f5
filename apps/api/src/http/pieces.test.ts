import { describe, expect, test } from 'vitest';
import { inChunks } from './pieces.ts';

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

const lengthsOf = async (chunks: AsyncIterable<string>) => (await Array.fromAsync(chunks)).map((chunk) => chunk.length);

describe('chunks', () => {
  test('join short pieces until they have 65,536 characters', async () => {
    const text = 'x'.repeat(30_000);
    expect(await lengthsOf(inChunks(pieces(text, text, text, text)))).toEqual([90_000, 30_000]);
    expect(await Array.fromAsync(inChunks(pieces('a', 'b', 'c')))).toEqual(['abc']);
  });

  test('of nothing are none, and none is empty', async () => {
    expect(await lengthsOf(inChunks(pieces()))).toEqual([]);
    expect(await lengthsOf(inChunks(pieces('x'.repeat(65_536))))).toEqual([65_536]);
    expect(await lengthsOf(inChunks(pieces('', '')))).toEqual([]);
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
