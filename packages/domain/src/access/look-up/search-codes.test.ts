import { runs } from '@access-admin/test-depth';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addTextCodes, addValueCode, codeOfValue, codesOfBeginning, codesOfPart, searchSeed } from './search-codes.ts';

const SEED = searchSeed({ tenant: 'acme', kind: 'identity', field: 'uid' });
const texts = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'ü', '😀'), maxLength: 40 });

/** The codes of a text. */
function codesOf(text: string, seed = SEED): ReadonlySet<number> {
  const codes: number[] = [];
  addTextCodes(codes, seed, text);
  return new Set(codes);
}

const hasAll = (codes: ReadonlySet<number>, sought: readonly number[]) => sought.every((code) => codes.has(code));

describe('the codes of a text', () => {
  test('contain those of each of its parts, and of each of its beginnings', () => {
    fc.assert(
      fc.property(texts, texts, texts, (before, part, after) => {
        const text = before + part + after;
        expect(hasAll(codesOf(text), codesOfPart(SEED, part))).toBe(true);
        expect(hasAll(codesOf(text), codesOfBeginning(SEED, before + part))).toBe(true);
      }),
      runs(2_000),
    );
  });

  test('distinguish a beginning from another part', () => {
    expect(hasAll(codesOf('abcdef'), codesOfPart(SEED, 'bcd'))).toBe(true);
    expect(hasAll(codesOf('abcdef'), codesOfBeginning(SEED, 'bcd'))).toBe(false);
    expect(hasAll(codesOf('abcdef'), codesOfBeginning(SEED, 'a'))).toBe(true);
    expect(hasAll(codesOf('bcdef'), codesOfBeginning(SEED, 'a'))).toBe(false);
  });

  test('lack those of other texts and of other fields', () => {
    expect(hasAll(codesOf('abcdef'), codesOfPart(SEED, 'abd'))).toBe(false);
    expect(hasAll(codesOf('abcdef'), codesOfPart(SEED, 'abcdeg'))).toBe(false);
    for (const other of [
      { tenant: 'other', kind: 'identity', field: 'uid' },
      { tenant: 'acme', kind: 'role', field: 'uid' },
      { tenant: 'acme', kind: 'identity', field: 'id' },
    ])
      expect(hasAll(codesOf('abcdef', searchSeed(other)), codesOfPart(SEED, 'abc'))).toBe(false);
  });

  test('are none to search by for parts of fewer than three code units, and for the empty beginning', () => {
    expect([codesOfPart(SEED, ''), codesOfPart(SEED, 'ab'), codesOfBeginning(SEED, '')]).toEqual([[], [], []]);
    expect(codesOfPart(SEED, 'abc')).toHaveLength(1);
    expect(codesOfBeginning(SEED, 'a')).toHaveLength(1);
  });

  test('that a search takes are at most 12, from the whole length of the part', () => {
    const long = Array.from({ length: 250 }, (_, at) => at.toString(36)).join('');
    const sought = codesOfPart(SEED, long);
    expect(sought).toHaveLength(12);
    expect(hasAll(codesOf(long), sought)).toBe(true);
    expect(hasAll(codesOf(long.slice(0, long.length / 2)), sought)).toBe(false);
    expect(hasAll(codesOf(long.slice(long.length / 2)), sought)).toBe(false);
  });
});

test('a whole value has one code, which no other one of its field has', () => {
  const codes: number[] = [];
  const values = Array.from({ length: 1_000 }, (_, at) => `id-${at}`);
  for (const value of values) addValueCode(codes, SEED, value);
  expect(codes).toEqual(values.map((value) => codeOfValue(SEED, value)));
  expect(new Set(codes).size).toBe(values.length);
});
