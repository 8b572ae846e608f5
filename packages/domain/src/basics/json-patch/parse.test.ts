import { describe, expect, test } from 'vitest';
import { PATCH_OPERATIONS_MAX, parsePatch } from './parse.ts';

const read = (json: string) => parsePatch(JSON.parse(json));

const failed = (type: string, ...at: readonly string[]) => ({
  ok: false,
  failure: { type, causes: at.map((place) => expect.objectContaining({ at: place, text: expect.any(String) })) },
});

describe('a patch is parsed', () => {
  test.each([
    ['[]', []],
    ['[{"op":"add","path":"/a","value":1}]', [{ op: 'add', path: ['a'], value: 1 }]],
    ['[{"op":"replace","path":"/a","value":null}]', [{ op: 'replace', path: ['a'], value: null }]],
    ['[{"op":"test","path":"/a/0","value":[{}]}]', [{ op: 'test', path: ['a', '0'], value: [{}] }]],
    ['[{"op":"remove","path":"/a"}]', [{ op: 'remove', path: ['a'] }]],
    ['[{"op":"move","path":"/a","from":"/b"}]', [{ op: 'move', path: ['a'], from: ['b'] }]],
    ['[{"op":"copy","path":"/a","from":"/b"}]', [{ op: 'copy', path: ['a'], from: ['b'] }]],
    ['[{"op":"remove","path":""}]', [{ op: 'remove', path: [] }]],
    ['[{"op":"remove","path":"/"}]', [{ op: 'remove', path: [''] }]],
    ['[{"op":"remove","path":"/a/"}]', [{ op: 'remove', path: ['a', ''] }]],
    ['[{"op":"remove","path":"/~01/~10/~0~1"}]', [{ op: 'remove', path: ['~1', '/0', '~/'] }]],
    ['[{"op":"remove","path":"/%61/ä/ "}]', [{ op: 'remove', path: ['%61', 'ä', ' '] }]],
    ['[{"op":"remove","path":"/__proto__"}]', [{ op: 'remove', path: ['__proto__'] }]],
  ])('%s', (json, value) => {
    expect(read(json)).toStrictEqual({ ok: true, value });
  });

  test.each([
    ['an unknown member', '{"op":"remove","path":"/a","note":"why"}'],
    ['a value that the operation does not use', '{"op":"remove","path":"/a","value":1}'],
    ['a from that the operation does not use', '{"op":"remove","path":"/a","from":7}'],
    ['an own member __proto__', '{"op":"remove","path":"/a","__proto__":{"op":"add","value":1}}'],
    ['an own member constructor', '{"op":"remove","path":"/a","constructor":{"prototype":{"path":"/b"}}}'],
  ])('without %s', (_title, operation) => {
    expect(read(`[${operation}]`)).toStrictEqual({ ok: true, value: [{ op: 'remove', path: ['a'] }] });
  });

  test('into new objects, which later changes of the body do not affect', () => {
    const operation = { op: 'remove', path: '/a' };
    const patch = parsePatch([operation]);
    operation.op = 'add';
    operation.path = '/b';
    expect(patch).toStrictEqual({ ok: true, value: [{ op: 'remove', path: ['a'] }] });
  });
});

describe('a body that is not an array is MalformedBody', () => {
  test.each(['{}', 'null', '"[]"', '7', '{"0":{"op":"remove","path":"/a"},"length":1}'])('%s', (json) => {
    expect(read(json)).toEqual(failed('MalformedBody', ''));
  });
});

describe('a missing member is RequiredMissing', () => {
  test.each([
    ['{}', '[0].op'],
    ['{"path":"/a"}', '[0].op'],
    ['{"__proto__":{"op":"remove","path":"/a"}}', '[0].op'],
    ['{"op":"remove"}', '[0].path'],
    ['{"op":"add","path":"/a"}', '[0].value'],
    ['{"op":"replace","path":"/a"}', '[0].value'],
    ['{"op":"test","path":"/a"}', '[0].value'],
    ['{"op":"test","path":"/a","from":"/b"}', '[0].value'],
    ['{"op":"move","path":"/a"}', '[0].from'],
    ['{"op":"copy","path":"/a","value":1}', '[0].from'],
  ])('%s', (operation, at) => {
    expect(read(`[${operation}]`)).toEqual(failed('RequiredMissing', at));
  });

  test('a member of the prototype counts as missing', () => {
    const operation = Object.create({ op: 'remove', path: '/a' });
    expect(parsePatch([operation])).toEqual(failed('RequiredMissing', '[0].op'));
  });
});

describe('a value of the wrong type is IllegalValue', () => {
  test.each(['null', '7', '"remove"', '[]', '[{"op":"remove","path":"/a"}]', 'true'])('operation %s', (operation) => {
    expect(read(`[${operation}]`)).toEqual(failed('IllegalValue', '[0]'));
  });

  const names = ['spam', '', 'Add', 'REMOVE', ' add', 'add ', '_get', 'toString', 'constructor', '__proto__'];
  const others: readonly unknown[] = [null, 7, true, ['add'], { add: 1 }, { toString: 'add' }];
  test.each<{ op: unknown }>([...names, ...others].map((op) => ({ op })))('$op as op', ({ op }) => {
    expect(parsePatch([{ op, path: '/a', value: 1, from: '/b' }])).toEqual(failed('IllegalValue', '[0].op'));
  });

  const pointers: readonly unknown[] = [null, 7, true, ['/a'], { toString: '/a' }];
  test.each<{ pointer: unknown }>(pointers.map((pointer) => ({ pointer })))(
    '$pointer as path or from',
    ({ pointer }) => {
      expect(parsePatch([{ op: 'remove', path: pointer }])).toEqual(failed('IllegalValue', '[0].path'));
      expect(parsePatch([{ op: 'copy', path: '/a', from: pointer }])).toEqual(failed('IllegalValue', '[0].from'));
    },
  );
});

describe('a text that is not a JSON Pointer is IllegalUpdate', () => {
  test.each(['a', 'x/capabilities', ' /a', '#/a', '/~', '/a~', '/capabilities/~2', '/~a', '/a/~01~'])('%j', (text) => {
    expect(parsePatch([{ op: 'remove', path: text }])).toEqual(failed('IllegalUpdate', '[0].path'));
    expect(parsePatch([{ op: 'move', path: '/a', from: text }])).toEqual(failed('IllegalUpdate', '[0].from'));
  });
});

describe('limits', () => {
  const operations = (count: number) => Array.from({ length: count }, () => ({ op: 'remove', path: '/a' }));
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

  test('100 operations pass; 101 are LimitExceeded, valid or not', () => {
    expect(parsePatch(operations(PATCH_OPERATIONS_MAX)).ok).toBe(true);
    expect(parsePatch(operations(PATCH_OPERATIONS_MAX + 1))).toEqual(failed('LimitExceeded', ''));
    expect(parsePatch(Array(PATCH_OPERATIONS_MAX + 1).fill(null))).toEqual(failed('LimitExceeded', ''));
  });

  test('a value nested 32 deep passes, deeper is LimitExceeded', () => {
    const add = (levels: number) => parsePatch([{ op: 'add', path: '/a', value: nested(levels) }]);
    expect(add(32).ok).toBe(true);
    expect(add(33)).toEqual(failed('LimitExceeded', '[0].value'));
    expect(add(5_000)).toEqual(failed('LimitExceeded', '[0].value'));
  });
});

describe('causes', () => {
  test('name the first issue of each operation; the first one gives the failure its type', () => {
    const patch = parsePatch([{ op: 'remove', path: '/a' }, {}, { op: 'spam' }, { op: 'remove', path: 'x' }]);
    expect(patch).toEqual({
      ok: false,
      failure: {
        type: 'RequiredMissing',
        causes: [
          { at: '[1].op', text: 'is required' },
          { type: 'IllegalValue', at: '[2].op', text: expect.any(String) },
          { type: 'IllegalUpdate', at: '[3].path', text: expect.any(String) },
        ],
      },
    });
  });

  test('are at most 20', () => {
    const patch = parsePatch(Array(50).fill({}));
    expect(patch.ok ? [] : patch.failure.causes.map(({ at }) => at)).toEqual(
      Array.from({ length: 20 }, (_, index) => `[${index}].op`),
    );
  });

  test('never repeat the input', () => {
    const secret = 's3cret';
    const given = [
      secret,
      { op: secret, path: '/a' },
      { op: 'add', path: secret, value: secret },
      { op: 'move', path: '/a', from: secret },
    ];
    expect(JSON.stringify(parsePatch(given))).not.toContain(secret);
  });
});
