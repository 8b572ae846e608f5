import { describe, expect, test } from 'vitest';
import { contextsOf } from '../../test/entries.ts';
import { inShort, type PredictionRow, predictRow, sidesIn } from '../../test/prediction-table.ts';
import { catalogueOf, entitlement, policyOf } from '../../test/sod-world.ts';
import { compileSodIndex } from '../sod/index.ts';

const catalogue = catalogueOf({
  entitlements: ['a', 'a2', 'b', 'b2', 'c', 'd', 'other'],
  accessProfiles: { 'ap-a': ['a'], 'ap-b': ['b'] },
  roles: { 'r-ab': { accessProfiles: ['ap-a', 'ap-b'] }, 'r-b': { entitlements: ['b'] }, 'r-none': {} },
});
const index = compileSodIndex(
  [
    policyOf('p-cd', { left: ['c'], right: ['d'] }),
    policyOf('p-ab', { left: ['a', 'a2'], right: ['b', 'b2'] }, { name: 'A and B', level: 'CRITICAL' }),
    policyOf('p-off', { left: ['a', 'c'], right: ['b', 'd', 'other'] }, { state: 'NOT_ENFORCED' }),
    policyOf('p-gone', { left: ['a', 'c'], right: ['deleted'] }),
    policyOf('P-CASE', { left: ['c'], right: ['d'] }),
  ],
  catalogue,
);

const rows: readonly PredictionRow[] = [
  { rule: 'no request causes nothing', held: 'a', requested: '', contexts: [] },
  { rule: 'one side alone violates nothing', held: 'a', requested: 'a2', contexts: [] },
  { rule: 'held and requested together violate', held: 'a', requested: 'b', contexts: ['p-ab: [a] | b'] },
  { rule: 'the sides are alike', held: 'b', requested: 'a', contexts: ['p-ab: a | [b]'] },
  { rule: 'requested alone can violate', held: '', requested: 'a b', contexts: ['p-ab: a | b'] },
  { rule: 'what no policy names causes nothing', held: 'a b', requested: 'other', contexts: [] },
  { rule: 'a policy that is not enforced does not count', held: 'a', requested: 'other', contexts: [] },
  { rule: 'a deleted entitlement cannot match', held: 'a c', requested: 'a2', contexts: [] },
  { rule: 'an access profile expands', held: 'a', requested: 'ap:ap-b', contexts: ['p-ab: [a] | b'] },
  { rule: 'a role expands to its entitlements', held: 'a', requested: 'r:r-b', contexts: ['p-ab: [a] | b'] },
  { rule: 'a role expands through access profiles', held: '', requested: 'r:r-ab', contexts: ['p-ab: a | b'] },
  {
    rule: 'held bundles expand as requested ones do',
    held: 'r:r-b',
    requested: 'ap:ap-a',
    contexts: ['p-ab: a | [b]'],
  },
  { rule: 'an empty role causes nothing', held: 'a', requested: 'r:r-none', contexts: [] },
  { rule: 'requesting what is held returns nothing', held: 'a b', requested: 'a b', contexts: [] },
  { rule: 'also when it is held in another way', held: 'r:r-ab', requested: 'b', contexts: [] },
  {
    rule: 'what was violated before and gains nothing stays out',
    held: 'a b c',
    requested: 'd',
    contexts: ['P-CASE: [c] | d', 'p-cd: [c] | d'],
  },
  { rule: 'a grant deepens a violation', held: 'a b', requested: 'b2', contexts: ['p-ab!: [a] | [b] b2'] },
  { rule: 'a held item on the side that gains shows', held: 'a', requested: 'a2 b', contexts: ['p-ab: [a] a2 | b'] },
  { rule: 'a role half of which is held', held: 'a', requested: 'r:r-ab', contexts: ['p-ab: [a] | b'] },
  { rule: 'repeated refs count once', held: 'a', requested: 'b b ap:ap-b', contexts: ['p-ab: [a] | b'] },
  {
    rule: 'contexts are sorted by policy id and items by id, in code units',
    held: 'd b2',
    requested: 'c b a2 a',
    contexts: ['P-CASE: c | [d]', 'p-ab: a a2 | b [b2]', 'p-cd: c | [d]'],
  },
];

describe('the violations of a prediction', () => {
  test.each(rows)('$rule: $held + $requested', ({ held, requested, contexts }) => {
    expect(predictRow(index, { held, requested }).map(inShort)).toEqual(contexts);
  });

  test('a context has the names of today, the level and the policy', () => {
    expect(predictRow(index, { held: 'a', requested: 'b' })).toEqual([
      {
        policy: { type: 'SOD_POLICY', id: 'p-ab', name: 'A and B', level: 'CRITICAL' },
        preexisting: false,
        conflictingAccessCriteria: {
          leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'a', name: 'The a', existing: true }] },
          rightCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'b', name: 'The b', existing: false }] },
        },
      },
    ]);
  });

  test('a large request finds each policy once, call after call', () => {
    const many = Array.from({ length: 300 }, (_, at) => `e-${String(at).padStart(3, '0')}`);
    const large = compileSodIndex(
      [
        policyOf('p-1', { left: many.slice(0, 50), right: many.slice(50, 100) }),
        policyOf('p-2', { left: many.slice(100, 150), right: ['apart'] }),
      ],
      catalogueOf({ entitlements: [...many, 'apart'], roles: { all: { entitlements: many } } }),
    );
    const requested = many.map(entitlement);
    // Epochs start over every 127 calls: no mark of an earlier large request may be left.
    for (let call = 0; call < 400; call++) {
      const contexts = contextsOf(large, new Uint32Array(), call % 127 === 0 ? requested : requested.slice(0, 1));
      if (call % 127 !== 0) continue;
      expect(contexts.map(({ policy }) => policy.id)).toEqual(['p-1']);
      expect(contexts.flatMap(sidesIn)[1]?.criteriaList).toHaveLength(50);
    }
  });

  test('an empty rulebook causes nothing', () => {
    const empty = compileSodIndex([], catalogueOf({ entitlements: ['a'] }));
    expect(contextsOf(empty, new Uint32Array(), [entitlement('a')])).toEqual([]);
  });
});
