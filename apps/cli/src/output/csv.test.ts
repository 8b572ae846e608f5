import { expect, test } from 'vitest';
import { csvRow } from './csv.ts';

test('cells are quoted where they need it, and none is a formula', () => {
  expect(csvRow(['a', 'b,c', 'd "e"', 'f\ng', ''])).toBe('a,"b,c","d ""e""","f\ng",\r\n');
  expect(csvRow(['=1', '+1', '-1', '@a', '\ta', 'a=1'])).toBe("'=1,'+1,'-1,'@a,'\ta,a=1\r\n");
});
