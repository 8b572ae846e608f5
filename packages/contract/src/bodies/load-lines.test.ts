import { expect, test } from 'vitest';
import { parseLoadPart } from './load-lines.ts';

const parse = async (...lines: readonly unknown[]) => {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const parsed = await parseLoadPart(text, async () => {});
  if (!parsed.ok) throw new Error('a part cannot fail');
  return parsed.value;
};

test('the lines of a part are records of four kinds, with their defaults and numbers', async () => {
  const part = await parse(
    { kind: 'account', id: 'a' },
    '',
    { kind: 'entitlement', id: 'e', name: 'E' },
    '\r',
    { kind: 'accessProfile', id: 'p', name: 'P', entitlements: ['e'] },
    { kind: 'role', id: 'r', name: 'R' },
    {
      kind: 'account',
      id: 'b',
      name: 'B',
      disabled: true,
      attributes: { x: '1' },
      access: [{ type: 'ROLE', id: 'r' }],
    },
  );
  expect(part.faultCount).toBe(0);
  expect(part.records.map(({ line }) => line)).toEqual([1, 3, 5, 6, 7]);
  expect(part.records[0]?.record).toMatchObject({ kind: 'account', id: 'a', name: 'a', disabled: false, access: [] });
  expect(part.records[3]?.record).toMatchObject({ kind: 'role', accessProfiles: [], entitlements: [] });
});

test.each([
  ['no JSON', '{', /JSON/],
  ['another kind', { kind: 'identity', id: 'i', uid: 'i', identityProfile: 'p' }, /kind/],
  ['a deletion', { kind: 'account', id: 'a', delete: true }, /delete: unknown property/],
  ['an account with its source', { kind: 'account', source: 's', id: 'a' }, /source: unknown property/],
  ['an account without an id', { kind: 'account', name: 'a' }, /^id: is required/],
  ['an id with a control character', { kind: 'account', id: 'a\u0007' }, /^id: must not have control/],
  ['a name with a line feed', { kind: 'account', id: 'a', name: 'a\nb' }, /^name: must not contain U\+000A/],
  ['an id of 513 characters', { kind: 'account', id: 'x'.repeat(513) }, /^id: /],
  ['access of no type', { kind: 'account', id: 'a', access: [{ type: 'X', id: 'e' }] }, /^access\[0\].type: /],
  ['a line that is too long', `"${'x'.repeat(1024 * 1024)}"`, /at most 1048576 characters/],
  ['an array', [], /./],
])('%s is a fault of its line', async (_, line, text) => {
  const part = await parse({ kind: 'account', id: 'good' }, line);
  expect(part).toMatchObject({ records: [{ line: 1 }], faults: [{ line: 2 }], faultCount: 1 });
  expect(part.faults[0]?.text).toMatch(text);
});

test('of many faults the first 100 are named, and all are counted', async () => {
  const part = await parse(...Array.from({ length: 250 }, () => 'x'));
  expect([part.faults.length, part.faults.at(-1)?.line, part.faultCount]).toEqual([100, 100, 250]);
});
