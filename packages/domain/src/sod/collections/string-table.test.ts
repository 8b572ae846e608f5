import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addText, createTextWriter, textAt, textsOf } from './string-table.ts';

const textsBack = (texts: readonly string[]) => {
  const writer = createTextWriter();
  for (const text of texts) addText(writer, text);
  const rows = textsOf(writer);
  return texts.map((_, row) => textAt(rows, row));
};

test('every text comes back, surrogates without a partner too', () => {
  const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), anyText)), (texts) => {
      expect(textsBack(texts)).toEqual(texts);
    }),
  );
});

test('a text longer than a call has arguments comes back', () => {
  const long = 'añ→😀'.repeat(60_000);
  expect(textsBack(['', long, 'after'])).toEqual(['', long, 'after']);
});
