import { expect, test } from 'vitest';
import { piecesOf } from './pieces.ts';

test('a text is cut into pieces that do not break characters', () => {
  const text = `x${'😀é'.repeat(100_000)}`;
  const pieces = [...piecesOf(text)];
  for (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(65_537);
    expect(piece.isWellFormed()).toBe(true);
  }
  expect(pieces.join('')).toBe(text);
  expect([...piecesOf('')]).toEqual([]);
});
