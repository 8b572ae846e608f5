import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { atMost, closedObject } from './fields.ts';
import { failsWith, validate } from './validate.ts';

const inner = closedObject({ a: v.exactOptional(v.string()) });
const outer = closedObject({ inner: v.exactOptional(inner), list: v.exactOptional(v.array(inner)) });

describe('an object without unknown properties', () => {
  test.each([
    ['an empty one', {}],
    ['one with everything', { inner: { a: '' }, list: [{}, { a: 'x' }] }],
  ])('accepts %s', (_, value) => {
    expect(validate(outer, value)).toEqual({ ok: true, value });
  });

  test.each([
    ['an empty list', [], 'MalformedBody', ['', 'must be an object']],
    ['a list', [{}], 'MalformedBody', ['', 'must be an object']],
    ['null', null, 'MalformedBody', ['', 'must be an object']],
    ['a text', 'x', 'MalformedBody', ['', 'must be an object']],
    ['an empty list within', { inner: [] }, 'IllegalValue', ['inner', 'must be an object']],
    ['a list within', { inner: [{ a: '' }] }, 'IllegalValue', ['inner', 'must be an object']],
    ['a list within a list', { list: [{}, []] }, 'IllegalValue', ['list[1]', 'must be an object']],
    ['an unknown property', { b: 1 }, 'MalformedBody', ['b', 'unknown property: remove it']],
    [
      'the property constructor',
      { inner: { constructor: 1 } },
      'MalformedBody',
      ['inner.constructor', 'unknown property: remove it'],
    ],
    [
      'the property __proto__',
      JSON.parse('{"__proto__":{"a":"x"}}'),
      'MalformedBody',
      ['__proto__', 'unknown property: remove it'],
    ],
    ['another type', { inner: { a: 1 } }, 'IllegalValue', ['inner.a', 'must be a string']],
  ])('refuses %s', (_, value, type, [at, text]) => {
    expect(validate(outer, value)).toEqual({ ok: false, failure: { type, causes: [{ type, at, text }] } });
  });

  test('needs its required properties', () => {
    expect(validate(closedObject({ name: v.string() }), {})).toEqual({
      ok: false,
      failure: { type: 'RequiredMissing', causes: [{ type: 'RequiredMissing', at: 'name', text: 'is required' }] },
    });
  });
});

describe('a message', () => {
  test('carries its type, whatever its text looks like', () => {
    const schema = v.pipe(
      v.string(),
      v.check(() => false, failsWith('LengthOutOfRange', 'IllegalValue: no')),
    );
    expect(validate(schema, 'x')).toEqual({
      ok: false,
      failure: {
        type: 'LengthOutOfRange',
        causes: [{ type: 'LengthOutOfRange', at: '', text: 'IllegalValue: no' }],
      },
    });
  });

  test('may depend on the input', () => {
    const schema = v.picklist(
      ['a'],
      failsWith('IllegalValue', (input) => `is ${typeof input}`),
    );
    expect(validate(schema, 5)).toMatchObject({ failure: { causes: [{ text: 'is number' }] } });
  });

  test.each([
    ['x'.repeat(3), true],
    ['x'.repeat(4), false],
    ['\u{1d11e}'.repeat(3), true],
    ['\u{1d11e}'.repeat(4), false],
  ])('of a length counts characters, not code units: %s', (text, ok) => {
    expect(validate(v.pipe(v.string(), atMost(3)), text).ok).toBe(ok);
  });
});

test('the most severe of several issues is the type of the failure, and each keeps its own', () => {
  const schema = closedObject({ a: v.string(), b: v.pipe(v.string(), atMost(1)) });
  const result = validate(schema, { b: 'xx', c: 1 });
  expect(result.ok ? null : [result.failure.type, result.failure.causes.map(({ type }) => type)]).toEqual([
    'MalformedBody',
    ['RequiredMissing', 'LengthOutOfRange', 'MalformedBody'],
  ]);
});
