import { expect, test } from 'vitest';
import { PIECE_BYTES_MAX, sizeOf, takePiece } from './piece.ts';

test('small events are read together up to the bound, and a large one by itself', () => {
  const type = 'sod.policy.created' as const;
  const places = [1_000, 40_000, 40_000, 5_000_000, 10].map((bytes, at) => ({ sequence: at + 1, type, bytes }));
  const pieces: (readonly number[])[] = [];
  for (let left: typeof places = places; left.length > 0; left = left.slice(pieces.at(-1)?.length ?? 0)) {
    const piece = takePiece(left);
    if (piece.length > 1) expect(sizeOf(piece)).toBeLessThanOrEqual(PIECE_BYTES_MAX);
    pieces.push(piece.map(({ sequence }) => sequence));
  }
  expect(pieces).toEqual([[1, 2], [3], [4], [5]]);
});
