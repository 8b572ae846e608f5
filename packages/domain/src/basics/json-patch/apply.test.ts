import { describe, expect, test } from 'vitest';
import { applyPatch, PATCH_COPIED_NODES_MAX, type PatchWhitelist } from './apply.ts';
import { parsePatch } from './parse.ts';

const everything: PatchWhitelist = { isAllowed: () => true };

function apply(document: unknown, operations: readonly unknown[], whitelist = everything) {
  const patch = parsePatch(operations);
  return patch.ok ? applyPatch(document, patch.value, whitelist) : patch;
}

/** Parses JSON, including `__proto__` members. */
const json = (text: string) => JSON.parse(text);

const failed = (type: string, at: string) => ({
  ok: false,
  failure: { type, causes: [{ at, text: expect.any(String) }] },
});

describe('each operation follows RFC 6902', () => {
  test.each([
    ['add a member', { a: 1 }, { op: 'add', path: '/b', value: 2 }, { a: 1, b: 2 }],
    ['add replaces a member', { a: 1 }, { op: 'add', path: '/a', value: null }, { a: null }],
    ['add an empty name', {}, { op: 'add', path: '/', value: 1 }, { '': 1 }],
    ['add to the front', [1, 2], { op: 'add', path: '/0', value: 0 }, [0, 1, 2]],
    ['add at the end by index', [1], { op: 'add', path: '/1', value: [2] }, [1, [2]]],
    ['add at the end by -', [1], { op: 'add', path: '/-', value: 2 }, [1, 2]],
    ['- is a plain name in an object', {}, { op: 'add', path: '/-', value: 2 }, { '-': 2 }],
    ['digits are a plain name in an object', {}, { op: 'add', path: '/00', value: 2 }, { '00': 2 }],
    ['add the whole document', { a: 1 }, { op: 'add', path: '', value: [] }, []],
    ['remove a member', { a: 1, b: 2 }, { op: 'remove', path: '/a' }, { b: 2 }],
    ['remove an item', [1, 2, 3], { op: 'remove', path: '/1' }, [1, 3]],
    ['replace a member', { a: 1 }, { op: 'replace', path: '/a', value: { b: 1 } }, { a: { b: 1 } }],
    ['replace an item', [1, 2], { op: 'replace', path: '/1', value: 3 }, [1, 3]],
    ['move within an object', { a: 1 }, { op: 'move', from: '/a', path: '/b' }, { b: 1 }],
    ['move up an array', [1, 2, 3], { op: 'move', from: '/0', path: '/2' }, [2, 3, 1]],
    ['move to the end of an array', [1, 2, 3], { op: 'move', from: '/0', path: '/-' }, [2, 3, 1]],
    ['move to itself', { a: 1 }, { op: 'move', from: '/a', path: '/a' }, { a: 1 }],
    ['move the root to itself', { a: 1 }, { op: 'move', from: '', path: '' }, { a: 1 }],
    ['move to the root', { a: [1] }, { op: 'move', from: '/a', path: '' }, [1]],
    ['move to a longer sibling name', { a: 1, ab: {} }, { op: 'move', from: '/a', path: '/ab/c' }, { ab: { c: 1 } }],
    ['copy a member', { a: [1] }, { op: 'copy', from: '/a', path: '/b' }, { a: [1], b: [1] }],
    ['copy into itself', { a: { b: 1 } }, { op: 'copy', from: '/a', path: '/a/c' }, { a: { b: 1, c: { b: 1 } } }],
    ['copy to the end', [1, 2], { op: 'copy', from: '/0', path: '/-' }, [1, 2, 1]],
  ])('%s', (_title, document, operation, result) => {
    expect(apply(document, [operation])).toStrictEqual({ ok: true, value: result });
  });
});

describe('a missing place is IllegalValue', () => {
  test.each([
    [{ op: 'add', path: '/x/y', value: 1 }, '[0].path'],
    [{ op: 'add', path: '/text/0', value: 1 }, '[0].path'],
    [{ op: 'add', path: '/list/length', value: 1 }, '[0].path'],
    [{ op: 'add', path: '/list/3', value: 1 }, '[0].path'],
    [{ op: 'add', path: '/toString/x', value: 1 }, '[0].path'],
    [{ op: 'add', path: '/__proto__/x', value: 1 }, '[0].path'],
    [{ op: 'add', path: '/constructor/prototype/x', value: 1 }, '[0].path'],
    [{ op: 'remove', path: '/x' }, '[0].path'],
    [{ op: 'remove', path: '/__proto__' }, '[0].path'],
    [{ op: 'remove', path: '/List' }, '[0].path'],
    [{ op: 'remove', path: '' }, '[0].path'],
    [{ op: 'replace', path: '/x', value: 1 }, '[0].path'],
    [{ op: 'replace', path: '/hasOwnProperty', value: 1 }, '[0].path'],
    [{ op: 'replace', path: '/list/2', value: 1 }, '[0].path'],
    [{ op: 'replace', path: '/list/-', value: 1 }, '[0].path'],
    [{ op: 'test', path: '/x', value: null }, '[0].path'],
    [{ op: 'test', path: '/list/length', value: 2 }, '[0].path'],
    [{ op: 'move', from: '/x', path: '/y' }, '[0].from'],
    [{ op: 'move', from: '/x', path: '/x' }, '[0].from'],
    [{ op: 'move', from: '/list/-', path: '/y' }, '[0].from'],
    [{ op: 'move', from: '/list/0', path: '/list/2' }, '[0].path'],
    [{ op: 'move', from: '/list', path: '/list/0' }, '[0].path'],
    [{ op: 'move', from: '/list', path: '/list/0/a/b' }, '[0].path'],
    [{ op: 'move', from: '', path: '/a' }, '[0].path'],
    [{ op: 'copy', from: '/x', path: '/y' }, '[0].from'],
    [{ op: 'copy', from: '/list', path: '/x/y' }, '[0].path'],
  ])('%j', (operation, at) => {
    expect(apply({ list: [1, 2], text: 'abc' }, [operation])).toEqual(failed('IllegalValue', at));
  });

  const odd = ['', '00', '01', '+0', '-0', '-1', '0.0', '0x0', '1e0', ' 0', '0 ', '٠', '1_0', 'NaN', 'Infinity'];
  const huge = ['2', '4294967295', '4294967296', '9007199254740993', '1'.repeat(400)];
  test.each([...odd, ...huge])('index %j', (index) => {
    const document = [['a'], ['b']];
    const refused = failed('IllegalValue', '[0].path');
    expect(apply(document, [{ op: 'test', path: `/${index}`, value: ['a'] }])).toEqual(refused);
    expect(apply(document, [{ op: 'remove', path: `/${index}` }])).toEqual(refused);
    expect(apply(document, [{ op: 'replace', path: `/${index}`, value: 1 }])).toEqual(refused);
    expect(apply(document, [{ op: 'add', path: `/${index}/0`, value: 1 }])).toEqual(refused);
    expect(apply(document, [{ op: 'move', path: '/1', from: `/${index}` }])).toEqual(
      failed('IllegalValue', '[0].from'),
    );
    if (index === '2') return;
    expect(apply(document, [{ op: 'add', path: `/${index}`, value: 1 }])).toEqual(refused);
    expect(apply(document, [{ op: 'copy', path: `/${index}`, from: '/0' }])).toEqual(refused);
  });
});

describe('a test compares by value', () => {
  test.each([
    ['1', '1.0'],
    ['0', '-0'],
    ['100', '1e2'],
    ['{"a":1,"b":[2]}', '{"b":[2],"a":1}'],
    ['{"__proto__":1}', '{"__proto__":1}'],
    ['{"hasOwnProperty":1}', '{"hasOwnProperty":1}'],
    ['[]', '[]'],
    ['null', 'null'],
  ])('%s equals %s', (stored, value) => {
    expect(apply({ a: json(stored) }, [{ op: 'test', path: '/a', value: json(value) }]).ok).toBe(true);
  });

  test.each([
    ['1', '"1"'],
    ['0', 'false'],
    ['0', 'null'],
    ['""', 'null'],
    ['[1,2]', '[2,1]'],
    ['[1]', '[1,1]'],
    ['[]', '{}'],
    ['[1]', '{"0":1}'],
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"a":1,"b":2}', '{"a":1}'],
    ['{"a":1}', '{"b":1}'],
    ['{}', '{"__proto__":{}}'],
    ['{"__proto__":{}}', '{"a":{}}'],
    ['{"a":1}', '{"toString":1}'],
    ['"é"', '"e\u0301"'],
  ])('%s differs from %s: Conflict', (stored, value) => {
    const result = apply({ a: json(stored) }, [{ op: 'test', path: '/a', value: json(value) }]);
    expect(result).toEqual(failed('Conflict', '[0]'));
  });
});

describe('the whitelist', () => {
  const below: PatchWhitelist = { isAllowed: ([first]) => first === 'open' };
  const document = { open: [1], closed: 2 };

  test.each([
    [{ op: 'add', path: '/closed', value: 1 }, '[0].path'],
    [{ op: 'remove', path: '/closed' }, '[0].path'],
    [{ op: 'remove', path: '/missing' }, '[0].path'],
    [{ op: 'remove', path: '' }, '[0].path'],
    [{ op: 'replace', path: '', value: {} }, '[0].path'],
    [{ op: 'remove', path: '/' }, '[0].path'],
    [{ op: 'remove', path: '/Open' }, '[0].path'],
    [{ op: 'test', path: '/closed', value: 2 }, '[0].path'],
    [{ op: 'move', from: '/closed', path: '/open/-' }, '[0].from'],
    [{ op: 'copy', from: '/closed', path: '/open/-' }, '[0].from'],
    [{ op: 'copy', from: '', path: '/open/-' }, '[0].from'],
    [{ op: 'move', from: '/open', path: '/closed' }, '[0].path'],
    [{ op: 'add', path: '/__proto__/x', value: 1 }, '[0].path'],
  ])('refuses %j as IllegalUpdate', (operation, at) => {
    expect(apply(document, [operation], below)).toEqual(failed('IllegalUpdate', at));
  });

  test('is checked for every operation before any is applied', () => {
    const patch = [
      { op: 'test', path: '/open/0', value: 'fails' },
      { op: 'remove', path: '/closed' },
      { op: 'move', from: '/closed', path: '/other' },
    ];
    expect(apply(document, patch, below)).toEqual({
      ok: false,
      failure: {
        type: 'IllegalUpdate',
        causes: ['[1].path', '[2].path', '[2].from'].map((at) => ({ at, text: expect.any(String) })),
      },
    });
  });

  test('is checked with unescaped names', () => {
    const slash: PatchWhitelist = { isAllowed: ([first]) => first === 'a/b' };
    expect(apply({ 'a/b': 1 }, [{ op: 'replace', path: '/a~1b', value: 2 }], slash)).toStrictEqual({
      ok: true,
      value: { 'a/b': 2 },
    });
    expect(apply({ 'a/b': 1 }, [{ op: 'add', path: '/a/b', value: 2 }], slash)).toEqual(
      failed('IllegalUpdate', '[0].path'),
    );
  });
});

describe('all or nothing', () => {
  test('a later failure leaves the document unchanged', () => {
    const document = { a: [1, { b: 2 }], c: 3 };
    const before = structuredClone(document);
    const patch = [
      { op: 'add', path: '/a/0', value: 0 },
      { op: 'move', from: '/c', path: '/a/2/c' },
      { op: 'test', path: '/a/0', value: 'no' },
    ];
    expect(apply(document, patch)).toEqual(failed('Conflict', '[2]'));
    expect(document).toStrictEqual(before);
  });

  test('the result shares nothing with the document or the patch, and copies share nothing with each other', () => {
    const document = { kept: { n: 1 }, a: { n: 1 } };
    const value = { n: 1 };
    const patch = [
      { op: 'add', path: '/b', value },
      { op: 'add', path: '/c', value },
      { op: 'copy', from: '/a', path: '/d' },
      { op: 'add', path: '/d/n', value: 2 },
      { op: 'add', path: '/c/n', value: 3 },
    ];
    const result = apply(document, patch);
    document.kept.n = value.n = 9;
    const one = { n: 1 };
    expect(result).toStrictEqual({ ok: true, value: { kept: one, a: one, b: one, c: { n: 3 }, d: { n: 2 } } });
  });

  test('one patch can be applied many times', () => {
    const patch = ['/a', '/a/-'].map((path) => ({ op: 'add', path, value: [] }));
    const parsed = parsePatch(patch);
    const results = [1, 2].map(() => parsed.ok && applyPatch({}, parsed.value, everything));
    expect(results).toStrictEqual(Array(2).fill({ ok: true, value: { a: [[]] } }));
  });
});

describe('names that are special in JavaScript are ordinary members', () => {
  test.each([
    ['{}', '[{"op":"add","path":"/__proto__","value":{"x":1}}]', '{"__proto__":{"x":1}}'],
    [
      '{}',
      '[{"op":"add","path":"/__proto__","value":{}},{"op":"add","path":"/__proto__/x","value":1}]',
      '{"__proto__":{"x":1}}',
    ],
    ['{"__proto__":{"x":1}}', '[{"op":"move","from":"/__proto__/x","path":"/y"}]', '{"__proto__":{},"y":1}'],
    ['{"__proto__":[1]}', '[{"op":"copy","from":"/__proto__","path":"/a"}]', '{"__proto__":[1],"a":[1]}'],
    ['{"__proto__":1}', '[{"op":"remove","path":"/__proto__"}]', '{}'],
    ['{"a":1}', '[{"op":"move","from":"/a","path":"/__proto__"}]', '{"__proto__":1}'],
    ['{"a":1}', '[{"op":"add","path":"/a","value":{"__proto__":{"y":1}}}]', '{"a":{"__proto__":{"y":1}}}'],
    ['{"a":{"__proto__":1}}', '[{"op":"copy","from":"/a","path":"/b"}]', '{"a":{"__proto__":1},"b":{"__proto__":1}}'],
    [
      '{"constructor":{"prototype":{}}}',
      '[{"op":"add","path":"/constructor/prototype/x","value":1}]',
      '{"constructor":{"prototype":{"x":1}}}',
    ],
    ['{}', '[{"op":"add","path":"/toString","value":1}]', '{"toString":1}'],
    ['{}', '[{"op":"add","path":"/length","value":1}]', '{"length":1}'],
  ])('%s patched by %s', (document, patch, result) => {
    const patched = apply(json(document), json(patch));
    expect(JSON.stringify(patched.ok ? patched.value : patched)).toBe(result);
    expect(Object.getPrototypeOf(patched.ok ? patched.value : null)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});

describe('limits', () => {
  const copies = (count: number, from: string, path: string) => Array(count).fill({ op: 'copy', from, path });

  test('copies that double the document repeatedly are LimitExceeded before they are made', () => {
    // 2^100 values: an attempt to make them would never end.
    expect(apply({ a: [] }, copies(100, '/a', '/a/-'))).toEqual(failed('LimitExceeded', '[9]'));
    expect(apply({ a: {} }, copies(24, '', '/a/b')).ok).toBe(false);
  });

  test('the copies of one patch create at most 1,000 values', () => {
    const list = (length: number) => ({ a: Array(length).fill(1) });
    expect(apply(list(PATCH_COPIED_NODES_MAX - 1), copies(1, '/a', '/b')).ok).toBe(true);
    expect(apply(list(PATCH_COPIED_NODES_MAX), copies(1, '/a', '/b'))).toEqual(failed('LimitExceeded', '[0]'));
    expect(apply(list(PATCH_COPIED_NODES_MAX / 2), copies(2, '/a', '/b'))).toEqual(failed('LimitExceeded', '[1]'));
  });

  test('a document can be 32 levels deep and not deeper', () => {
    const deepen = (levels: number) =>
      Array.from({ length: levels }, () => [
        { op: 'move', from: '/a', path: '/b' },
        { op: 'add', path: '/a', value: [] },
        { op: 'move', from: '/b', path: '/a/0' },
      ]).flat();
    expect(apply({ a: 1 }, deepen(31)).ok).toBe(true);
    expect(apply({ a: 1 }, deepen(32))).toEqual(failed('LimitExceeded', ''));
  });

  test('copies that nest a document in itself have the same limit of depth', () => {
    const nested = (levels: number): unknown => (levels === 0 ? {} : { a: nested(levels - 1) });
    const intoTheInnermost = Array.from({ length: 5 }, (_, round) => '/a'.repeat(31 * 2 ** round + 1));
    const patch = intoTheInnermost.map((path) => ({ op: 'copy', from: '/a', path }));
    expect(apply({}, [{ op: 'add', path: '/a', value: nested(30) }, ...patch])).toEqual(failed('LimitExceeded', ''));
  });
});

test('failures do not contain the document or values', () => {
  const secret = 's3cret';
  const document = { [secret]: { [secret]: secret }, list: [secret] };
  for (const operation of [
    { op: 'test', path: `/${secret}`, value: secret },
    { op: 'replace', path: `/${secret}/x`, value: secret },
    { op: 'add', path: `/list/${secret}`, value: secret },
    { op: 'move', from: `/${secret}`, path: `/${secret}/${secret}` },
    { op: 'copy', from: `/x${secret}`, path: `/${secret}` },
  ]) {
    const result = apply(document, [operation]);
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain(secret);
  }
});
