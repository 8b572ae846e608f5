import { describe, expect, test } from 'vitest';
import { fail, ok } from '../../basics/result/result.ts';
import { COMMON_PASSWORDS } from './commonest.ts';
import { normalizePassword } from './normalize.ts';
import { validateNewPassword } from './validate-new.ts';

const GOOD = 'correct horse battery staple';

describe('a new password', () => {
  test.each([
    ['has no composition rules', GOOD],
    ['may have characters of any script', 'пароль лошадь скрепка'],
    ['may have 12 characters', 'zkvmqwtrplxy'],
    ['may have 128 characters', 'xy'.repeat(64)],
    ['counts characters, not code units', '🐎🔋📎🐎🔋📎🐎🔋📎🐎🔋📎'],
  ])('%s', (_title, password) => {
    expect(validateNewPassword(password, 'ada')).toEqual(ok(password));
  });

  test.each([
    ['11 characters', 'zkvmqwtrplx', 'TOO_SHORT'],
    ['12 characters of which NFKC makes fewer', 'e\u0301'.repeat(6), 'TOO_SHORT'],
    ['129 characters', 'x'.repeat(129), 'TOO_LONG'],
    ['a megabyte', 'x'.repeat(1_000_000), 'TOO_LONG'],
    ['characters of which NFKC makes more than 128', 'ﷺ'.repeat(10), 'TOO_LONG'],
    ['a common one', 'password1234', 'COMMON'],
    ['a common one in another case', 'PassWord1234', 'COMMON'],
    ['a common one in wide letters', 'ｐａｓｓｗｏｒｄ１２３４', 'COMMON'],
    ['a lone surrogate', `${GOOD}\ud800`, 'MALFORMED'],
    ['NUL', `${GOOD}\0`, 'MALFORMED'],
    ['the username', 'correct ada battery', 'HOLDS_USERNAME'],
    ['the username in another case', 'correct ADA battery', 'HOLDS_USERNAME'],
  ])('is refused: %s', (_title, password, issue) => {
    expect(validateNewPassword(password, 'Ada')).toEqual(fail(issue));
  });

  test('is compared with usernames of other scripts', () => {
    expect(validateNewPassword('grüße aus STRASSE 7', 'straße')).toEqual(fail('HOLDS_USERNAME'));
    expect(validateNewPassword('grüße aus berlin', 'be')).toEqual(ok('grüße aus berlin'));
  });

  test('is the same in every form of its characters', () => {
    expect(normalizePassword('ﬁve hundred café')).toBe('five hundred café');
    expect(validateNewPassword('ﬁve hundred cafe\u0301', 'ada')).toEqual(ok('five hundred café'));
  });
});

test('the common passwords are those that no other rule refuses', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(400);
  for (const password of ['qwertyuiop123', '123456789123', 'administrator', 'friend of emily'])
    expect(COMMON_PASSWORDS.has(password)).toBe(true);
  for (const password of COMMON_PASSWORDS) {
    expect([...password].length).toBeGreaterThanOrEqual(12);
    expect(validateNewPassword(password.toUpperCase(), 'ada')).toMatchObject({ ok: false });
  }
});
