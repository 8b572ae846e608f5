import { describe, expect, test } from 'vitest';
import { contextsOf, predictJson } from '../../test/entries.ts';
import { inShort, type PredictionRow, predictRow, refsOf, sidesIn } from '../../test/prediction-table.ts';
import { catalogueOf, entitlement, kOfNPolicyOf, policyOf, role } from '../../test/sod-world.ts';
import { compileSodIndex, expandAccess } from '../sod/index.ts';

const catalogue = catalogueOf({
  entitlements: ['a', 'a2', 'b', 'c', 'd', 'other', 'r1', 'r2', 'x', 'y'],
  accessProfiles: { 'ap-bc': ['b', 'c'], 'ap-root': ['r2', 'other', 'r1'] },
});
const index = compileSodIndex(
  [
    kOfNPolicyOf('p-2of3', { atLeast: 2, sides: ['order: a2 a', 'approve: b', 'c'] }, { name: 'Any two' }),
    kOfNPolicyOf('p-3of3', { atLeast: 3, sides: ['a', 'b', 'c d'] }),
    kOfNPolicyOf('p-off', { atLeast: 2, sides: ['a', 'b'] }, { state: 'NOT_ENFORCED' }),
    kOfNPolicyOf('p-twice', { atLeast: 2, sides: ['x', 'y', 'x y'] }),
    kOfNPolicyOf('p-gone', { atLeast: 2, sides: ['d', 'deleted', 'gone'] }),
    policyOf('p-3', { left: ['c'], right: ['d'] }),
    kOfNPolicyOf('p-critical', { atLeast: 1, sides: ['root: r1 r2 lost'] }, { level: 'CRITICAL' }),
    kOfNPolicyOf('p-lost', { atLeast: 1, sides: ['lost'] }),
  ],
  catalogue,
);

const rows: readonly PredictionRow[] = [
  { rule: 'one side alone violates nothing', held: 'a', requested: 'a2', contexts: [] },
  {
    rule: 'sides enough violate, those without an item are not shown',
    held: 'a',
    requested: 'c',
    contexts: ['p-2of3: [a] | c'],
  },
  { rule: 'any of the sides will do', held: '', requested: 'c b', contexts: ['p-2of3: b | c'] },
  { rule: 'sides are shown in the order of the policy', held: 'c', requested: 'a2', contexts: ['p-2of3: a2 | [c]'] },
  { rule: 'items are shown in the order of ids', held: 'a2', requested: 'a b', contexts: ['p-2of3: a [a2] | b'] },
  {
    rule: 'sides enough before are deepened',
    held: 'a b',
    requested: 'c',
    contexts: ['p-2of3!: [a] | [b] | c', 'p-3of3: [a] | [b] | c'],
  },
  { rule: 'what gains nothing stays out', held: 'a b', requested: 'other', contexts: [] },
  { rule: 'requesting what is held returns nothing', held: 'a b', requested: 'a b', contexts: [] },
  { rule: 'an access profile expands', held: '', requested: 'ap:ap-bc', contexts: ['p-2of3: b | c'] },
  { rule: 'an item on two sides is on both', held: '', requested: 'x', contexts: ['p-twice: x | x'] },
  { rule: 'also when it is held', held: 'x', requested: 'y', contexts: ['p-twice!: [x] | y | [x] y'] },
  { rule: 'deleted entitlements cannot match', held: 'a', requested: 'd', contexts: [] },
  { rule: 'one critical item violates', held: 'a', requested: 'r2', contexts: ['p-critical: r2'] },
  { rule: 'another critical item deepens', held: 'r1', requested: 'r2', contexts: ['p-critical!: [r1] r2'] },
  { rule: 'a critical item that is held is not caused', held: 'r1', requested: 'r1 other', contexts: [] },
  { rule: 'a bundle gives critical items', held: 'r1', requested: 'ap:ap-root', contexts: ['p-critical!: [r1] r2'] },
  { rule: 'all requested critical items are shown', held: '', requested: 'r2 r1 r2', contexts: ['p-critical: r1 r2'] },
  {
    rule: 'both forms are sorted by policy id',
    held: 'a b d',
    requested: 'c',
    contexts: ['p-2of3!: [a] | [b] | c', 'p-3: c | [d]', 'p-3of3!: [a] | [b] | c [d]'],
  },
];

describe('a k-of-n policy', () => {
  test.each(rows)('$rule: $held + $requested', ({ held, requested, contexts }) => {
    expect(predictRow(index, { held, requested }).map(inShort)).toEqual(contexts);
  });

  test('is shown with the names of its sides and the number that violates it', () => {
    const item = (id: string, existing: boolean) => ({ type: 'ENTITLEMENT', id, name: `The ${id}`, existing });
    const expected = [
      {
        policy: { type: 'SOD_POLICY', id: 'p-2of3', name: 'Any two', level: 'HIGH' },
        preexisting: false,
        conflictingAccessCriteria: {
          criteria: [
            { name: 'order', criteriaList: [item('a', true)] },
            { name: null, criteriaList: [item('c', false)] },
          ],
          atLeast: 2,
        },
      },
    ];
    expect(predictRow(index, { held: 'a', requested: 'c' })).toEqual(expected);
    const text = predictJson(index, expandAccess(index, refsOf('a')).entitlements, [entitlement('c')]);
    expect(text).toEqual({ ok: true, value: JSON.stringify({ violationContexts: expected }) });
  });

  test('is found once by a large request, call after call', () => {
    const many = Array.from({ length: 500 }, (_, at) => `e-${String(at).padStart(3, '0')}`);
    const sides = Array.from({ length: 10 }, (_, side) => many.slice(side * 50, side * 50 + 50).join(' '));
    const large = compileSodIndex(
      [kOfNPolicyOf('p', { atLeast: 10, sides })],
      catalogueOf({ entitlements: many, roles: { all: { entitlements: many } } }),
    );
    const requested = many.map(entitlement);
    for (let call = 0; call < 400; call++) {
      const contexts = contextsOf(large, new Uint32Array(), call % 2 === 0 ? requested : requested.slice(0, 450));
      expect(contexts.flatMap(sidesIn).map(({ criteriaList }) => criteriaList.length)).toEqual(
        call % 2 === 0 ? Array(10).fill(50) : [],
      );
    }
  });
});

describe('many k-of-n policies', () => {
  const ids = Array.from({ length: 200 }, (_, at) => `e-${at}`);
  const policies = Array.from({ length: 5_000 }, (_, at) =>
    kOfNPolicyOf(`p-${at}`, { atLeast: 3, sides: ['common', `e-${at % 200}`, `e-${(at * 7 + 1) % 200}`, 'never'] }),
  );
  const entitlements = [...ids, 'common', 'never'];
  const many = compileSodIndex(policies, catalogueOf({ entitlements, roles: { all: { entitlements: ids } } }));
  const nothing = new Uint32Array();

  test('are evaluated from any of their items', () => {
    expect(contextsOf(many, nothing, [entitlement('common')])).toEqual([]);
    expect(contextsOf(many, expandAccess(many, [entitlement('common')]).entitlements, [role('all')])).toHaveLength(
      5_000,
    );
  });
});
