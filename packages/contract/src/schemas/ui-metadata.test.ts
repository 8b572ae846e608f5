import { describe, expect, test } from 'vitest';
import { validate } from '../validation/validate.ts';
import { tenantUiMetadataUpdate } from './ui-metadata.ts';

describe('an update', () => {
  test.each([
    ['nothing', {}, {}],
    [
      'all properties',
      { iFrameWhitelist: 'b.com *.c.de', usernameLabel: 'L', usernameEmptyText: 'T' },
      { iFrameWhitelist: 'b.com *.c.de', usernameLabel: 'L', usernameEmptyText: 'T' },
    ],
    ['null resets', { iFrameWhitelist: null }, { iFrameWhitelist: null }],
    ['the text null resets a list', { iFrameWhitelist: 'null' }, { iFrameWhitelist: null }],
    ['the text null resets a label', { usernameLabel: 'null' }, { usernameLabel: null }],
    ['the text null resets a placeholder', { usernameEmptyText: 'null' }, { usernameEmptyText: null }],
    ['NULL is a text', { usernameLabel: 'NULL' }, { usernameLabel: 'NULL' }],
    ['" null" is a text', { usernameLabel: ' null' }, { usernameLabel: ' null' }],
  ])('%s', (_, update, next) => {
    expect(validate(tenantUiMetadataUpdate, update)).toEqual({ ok: true, value: next });
  });

  test('keeps the whitelist unchanged', () => {
    const iFrameWhitelist = 'HTTPS://A.com:443 b.com https://a.com:443';
    expect(validate(tenantUiMetadataUpdate, { iFrameWhitelist })).toMatchObject({ value: { iFrameWhitelist } });
  });

  test('has a whitelist of at most 3,200 bytes, and is refused with the number of origins beyond', () => {
    const causesOf = (...origins: readonly string[]) => {
      const result = validate(tenantUiMetadataUpdate, { iFrameWhitelist: origins.join(' ') });
      return result.ok ? [] : result.failure.causes;
    };
    const refused = (text: string) => [
      { type: 'LengthOutOfRange', at: 'iFrameWhitelist', text: expect.stringContaining(text) },
    ];
    // 32 characters each, with a space between two.
    const origins = Array.from(
      { length: 100 },
      (_, at) => `https://host-${String(at).padStart(3, '0')}.ab.example:8443`,
    );
    expect(causesOf(...origins.slice(0, 97))).toEqual([]);
    expect(causesOf(...origins)).toEqual(refused('the last 3 of 100 origins are beyond'));
    const names = (count: number) => Array(count).fill('a'.repeat(63));
    expect(causesOf(...names(50))).toEqual([]);
    expect(causesOf(...names(51))).toEqual(refused('the last 1 of 51'));
  });

  test('names every invalid property with its type', () => {
    const result = validate(tenantUiMetadataUpdate, {
      iFrameWhitelist: 'a.com *',
      usernameLabel: '',
      usernameEmptyText: '\u0007',
    });
    expect(result).toEqual({
      ok: false,
      failure: {
        type: 'LengthOutOfRange',
        causes: [
          { type: 'IllegalValue', at: 'iFrameWhitelist[1]', text: expect.any(String) },
          { type: 'LengthOutOfRange', at: 'usernameLabel', text: expect.any(String) },
          { type: 'IllegalValue', at: 'usernameEmptyText', text: expect.any(String) },
        ],
      },
    });
  });
});

describe.each(['usernameLabel', 'usernameEmptyText'] as const)('%s', (property) => {
  const typeFor = (text: string) => {
    const result = validate(tenantUiMetadataUpdate, { [property]: text });
    if (!result.ok) expect(result.failure.causes).toMatchObject([{ at: property }]);
    return result.ok ? 'accepted' : result.failure.type;
  };

  test.each([
    ['one character', 'x', 'accepted'],
    ['200 characters', 'x'.repeat(200), 'accepted'],
    ['200 characters of two code units', '😀'.repeat(200), 'accepted'],
    ['a space', ' ', 'accepted'],
    ['letters of any script', 'Benutzername – имя 用户名 مستخدم', 'accepted'],
    ['a no-break space, after C1', '\u00A0', 'accepted'],
    ['a narrow no-break space, after U+202E', '\u202F', 'accepted'],
    ['a zero-width joiner', '\u200D', 'accepted'],
    ['U+2065 and U+206A', '\u2065\u206A', 'accepted'],
    ['no character', '', 'LengthOutOfRange'],
    ['201 characters', 'x'.repeat(201), 'LengthOutOfRange'],
    ['201 characters of two code units', '😀'.repeat(201), 'LengthOutOfRange'],
    ['401 code units', 'x'.repeat(401), 'LengthOutOfRange'],
  ])('%s: %s → %s', (_, text, outcome) => {
    expect(typeFor(text)).toBe(outcome);
  });

  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  test.each([
    ['C0', range(0, 0x1f)],
    ['DEL and C1', range(0x7f, 0x9f)],
    ['embeddings and overrides', range(0x202a, 0x202e)],
    ['isolates', range(0x2066, 0x2069)],
  ])('refuses control characters: %s', (_, codePoints) => {
    for (const codePoint of codePoints) {
      expect(typeFor(`a${String.fromCodePoint(codePoint)}b`), codePoint.toString(16)).toBe('IllegalValue');
    }
  });
});

test('both spellings of the whitelist are refused, whatever they say', () => {
  for (const value of ['a', '*', null])
    expect(validate(tenantUiMetadataUpdate, { iframeWhiteList: value, iFrameWhitelist: 'a' })).toMatchObject({
      failure: { type: 'MalformedBody' },
    });
});
