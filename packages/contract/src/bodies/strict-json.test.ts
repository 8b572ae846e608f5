import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeUtf8, parseStrictJson } from './strict-json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('parseStrictJson rejects', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{a: 1}'],
    ['a byte order mark', '\ufeff{}'],
    ['two documents', '{} {}'],
    ['duplicate keys', '{"a": 1, "a": 2}'],
    ['duplicate keys, one escaped', '{"a": 1, "\\u0061": 2}'],
    ['duplicate keys deep inside', '[{"b": [{"x": {"y": 1, "y": 1}}]}]'],
    ['duplicate __proto__', '{"__proto__": 1, "__proto__": 2}'],
    ['an escaped NUL', '"a\\u0000b"'],
    ['an escaped NUL in a key', '{"a\\u0000": 1}'],
    ['a lone high surrogate', '"\\ud800"'],
    ['a lone low surrogate in a key', '{"\\udc00": 1}'],
    ['33 levels', nested(33)],
    ['33 levels of objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
  ])('%s', (_, text) => {
    expect(parseStrictJson(text)).toMatchObject({ ok: false, failure: { type: 'MalformedBody' } });
  });
});

describe('parseStrictJson accepts', () => {
  test.each([
    ['32 levels', nested(32)],
    ['equal keys in different objects', '[{"a": 1}, {"a": {"a": 1}}]'],
    ['colons and quotes inside of strings', '{"a:b\\"c": "\\":\\\\", "d": ":"}'],
    ['a surrogate pair', '"\\ud83d\\ude00"'],
    ['keys with a meaning to JavaScript', '{"constructor": 1, "toString": 2, "hasOwnProperty": 3}'],
  ])('%s', (_, text) => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  test('an own __proto__ key, which does not change the prototype', () => {
    const parsed = parseStrictJson('{"__proto__": {"polluted": true}}');
    if (!parsed.ok) throw new Error('refused');
    expect(Object.keys(parsed.value as object)).toEqual(['__proto__']);
    expect({}).not.toHaveProperty('polluted');
  });

  test('every output of JSON.stringify for shallow well-formed values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u0000|\\ud[89a-f]/i.test(text));
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      runs(1_000),
    );
  });
});

describe('decodeUtf8', () => {
  test.each([
    ['an overlong form', [0xc0, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
  ])('rejects %s', (_, bytes) => {
    expect(decodeUtf8(new Uint8Array(bytes))).toMatchObject({ ok: false, failure: { type: 'MalformedBody' } });
  });

  test('keeps characters of every Unicode plane', () => {
    expect(decodeUtf8(new TextEncoder().encode('aé漢😀'))).toEqual({ ok: true, value: 'aé漢😀' });
  });
});
