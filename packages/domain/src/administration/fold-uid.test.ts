import { describe, expect, test } from 'vitest';
import { foldUid, foldUsername } from './fold-uid.ts';

describe('a folded uid', () => {
  test.each([
    ['ada', 'ADA'],
    ['straße', 'STRASSE'],
    ['straße', 'STRAẞE'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ſ', 's'],
    ['\u212A', 'k'],
    ['e\u0301', 'É'],
    ['ﬁ', 'FI'],
    ['İ', 'i\u0307'],
    ['\u1FB3', '\u0391\u0399'],
    ['ǅ', 'ǆ'],
  ])('is the same for %s and %s', (left, right) => {
    expect(foldUid(left)).toBe(foldUid(right));
  });

  test.each([
    ['ada', 'ada '],
    ['ı', 'i'],
    ['a', 'á'],
    ['l', '1'],
    ['ada', 'аda'],
  ])('differs for %s and %s', (left, right) => {
    expect(foldUid(left)).not.toBe(foldUid(right));
  });

  // A regular expression with the flags i and u compares by simple case folding, which the engine takes from Unicode's table.
  test('of each character of Unicode is the same for all that its case folding makes equal, and stable', () => {
    const wrong: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const folded = foldUid(character);
      if (foldUid(folded) !== folded) wrong.push(`${code.toString(16)} is not stable`);
      for (const other of [character.toLowerCase(), character.toUpperCase()])
        if (other !== character && [...other].length === 1) {
          const isEqual = new RegExp(`^${other.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')}$`, 'iu').test(character);
          if (isEqual && foldUid(other) !== folded) wrong.push(`${code.toString(16)} differs`);
        }
    }
    expect(wrong).toEqual([]);
  });
});

describe('a username', () => {
  test.each([
    'ａｄａ',
    'o\ufb03ce',
    'ada\u00b2',
    'ª',
    'ſam',
    'ŉ',
    'ada\u00a0l',
    'ada\u3000l',
    '\ufe8d',
    '①',
    '℡',
    'Ａda',
    'ǆ',
  ])('with compatibility forms is refused: %j', (username) => {
    expect(foldUsername(username)).toBeNull();
  });

  test.each([
    ['Ada', 'ada'],
    ['STRASSE', 'strasse'],
    ['straße', 'strasse'],
    ['zoe\u0308', 'zoë'],
    ['\u212A', 'k'],
    ['山田', '山田'],
    ['김', '김'],
    ['नमस्ते', 'नमस्ते'],
    ['', ''],
  ])('%j is found as %j', (username, folded) => {
    expect(foldUsername(username)).toBe(folded);
  });
});
