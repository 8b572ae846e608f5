import { describe, expect, test } from 'vitest';
import { predict } from '../../../test/entries.ts';
import { catalogueOf, entitlement, kOfNPolicyOf, policyOf } from '../../../test/sod-world.ts';
import { expandAccess } from '../evaluation/access.ts';
import { changePolicies } from './change-policies.ts';
import { compileSodIndex, type SodIndex } from './sod-index.ts';

const catalogue = catalogueOf({ entitlements: ['a', 'b', 'c'] });
const ab = (id: string, rest = {}) => policyOf(id, { left: ['a'], right: ['b'] }, rest);
const off = { state: 'NOT_ENFORCED' } as const;
const compiled = compileSodIndex([ab('p-2'), ab('p-4'), ab('p-off', off)], catalogue);

/** The ids of the policies that a grant of everything violates, and how many policies differ. */
function stateOf(index: SodIndex): string {
  const answer = predict(index, new Uint32Array(), [entitlement('a'), entitlement('b'), entitlement('c')]);
  const ids = answer.ok ? answer.value.violationContexts.map(({ policy }) => policy.id) : ['refused'];
  expect(index.policyCount).toBe(ids.length);
  return `${ids.join(' ')} (${index.changedPolicies})`;
}

const upsert = (...upserts: ReturnType<typeof ab>[]) => ({ upserts, deletes: [] });
const remove = (...deletes: string[]) => ({ upserts: [], deletes });

describe('changePolicies', () => {
  test.each([
    ['nothing', [], 'p-2 p-4 (0)'],
    ['new policies, sorted in between', [upsert(ab('p-9'), ab('p-1'), ab('p-3'))], 'p-1 p-2 p-3 p-4 p-9 (3)'],
    ['a policy enforced from now on', [upsert(ab('p-off'))], 'p-2 p-4 p-off (1)'],
    ['a policy not enforced any more', [upsert(ab('p-2', off))], 'p-4 (1)'],
    ['and enforced again', [upsert(ab('p-2', off)), upsert(ab('p-2'))], 'p-2 p-4 (1)'],
    ['a delete', [remove('p-4')], 'p-2 (1)'],
    ['a delete twice', [remove('p-4'), remove('p-4')], 'p-2 (1)'],
    ['a delete and a new policy of the same id', [remove('p-4'), upsert(ab('p-4'))], 'p-2 p-4 (1)'],
    ['a delete of what never was, or never counted', [remove('p-0', 'p-off')], 'p-2 p-4 (0)'],
    ['a policy that comes and goes', [upsert(ab('p-3')), remove('p-3')], 'p-2 p-4 (0)'],
    ['what is deleted and written at once', [{ upserts: [ab('p-2')], deletes: ['p-2', 'p-4'] }], 'p-2 (2)'],
    ['everything deleted', [remove('p-2', 'p-4')], ' (2)'],
  ])('%s', (_, changes, state) => {
    expect(stateOf(changes.reduce<SodIndex>(changePolicies, compiled))).toBe(state);
    expect(stateOf(compiled)).toBe('p-2 p-4 (0)');
  });

  test('an edit answers with the sides, name and level of now', () => {
    const edited = policyOf('p-2', { left: ['c'], right: ['b'] }, { name: 'New', level: 'LOW' });
    const index = changePolicies(changePolicies(compiled, upsert(ab('p-2', { name: 'Between' }))), upsert(edited));
    const held = expandAccess(index, [entitlement('b')]).entitlements;
    const answer = predict(index, held, [entitlement('c')]);
    expect(answer.ok && answer.value.violationContexts.map(({ policy }) => policy)).toEqual([
      { type: 'SOD_POLICY', id: 'p-2', name: 'New', level: 'LOW' },
    ]);
  });

  test('a policy takes the other form, and the first one again', () => {
    const kOfN = kOfNPolicyOf('p-2', { atLeast: 2, sides: ['c', 'b'] });
    const shapesOf = (index: SodIndex) => {
      const held = expandAccess(index, [entitlement('b')]).entitlements;
      const answer = predict(index, held, [entitlement('a'), entitlement('c')]);
      return (
        answer.ok && answer.value.violationContexts.map((context) => Object.keys(context.conflictingAccessCriteria))
      );
    };
    const pair = ['leftCriteria', 'rightCriteria'];
    const changed = changePolicies(compiled, upsert(kOfN));
    expect(shapesOf(changed)).toEqual([['criteria', 'atLeast'], pair]);
    expect(shapesOf(changePolicies(changed, upsert(ab('p-2'))))).toEqual([pair, pair]);
    const other = compileSodIndex([kOfN, ab('p-4')], catalogue);
    expect(shapesOf(changePolicies(other, upsert(ab('p-2'))))).toEqual([pair, pair]);
    expect(shapesOf(changePolicies(other, remove('p-2')))).toEqual([pair]);
  });

  test('shares the catalogue, so that held access stays expanded', () => {
    expect(changePolicies(compiled, upsert(ab('p-3'))).catalogue).toBe(compiled.catalogue);
  });
});
