import { expect, test } from 'vitest';
import { utf8Length } from './utf8-length.ts';

test('the length of a text in UTF-8 is that of its bytes, at every change of their number', () => {
  const points = [0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff];
  const characters = points.map((point) => String.fromCodePoint(point));
  for (const text of ['', ...characters, characters.join('')])
    expect([text, utf8Length(text)]).toEqual([text, new TextEncoder().encode(text).length]);
});
