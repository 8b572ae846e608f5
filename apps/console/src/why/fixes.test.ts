import { describe, expect, test } from 'vitest';
import type { HeldItem, Step } from './explain.ts';
import { findFixes } from './fixes.ts';

const role = (id: string): Step => ({ type: 'ROLE', id, name: id });
const item = (id: string, ...ways: readonly Step[][]): HeldItem => ({ id, name: id, ways });
const side = (...items: readonly HeldItem[]) => ({ name: '', items });
const idsOf = (sides: readonly ReturnType<typeof side>[], atLeast: number) =>
  findFixes({ sides, atLeast }).map(({ assignments }) => assignments.map(({ id }) => id));

describe('what ends a violation', () => {
  test('is everything that gives one of two sides, the smaller one first', () => {
    const left = side(item('create', [role('r-1')], [role('r-2'), role('below')]), item('change', [role('r-1')]));
    expect(idsOf([left, side(item('pay', []))], 2)).toEqual([['pay'], ['r-1', 'r-2']]);
  });

  test('is one assignment where it gives both sides', () => {
    expect(idsOf([side(item('create', [role('r-1')])), side(item('pay', [role('r-1')]))], 2)).toEqual([['r-1']]);
  });

  test('names the account whose source removes an assignment, and keeps it apart from the same one of the record', () => {
    const account: Step = { type: 'ACCOUNT', id: 'k', name: 'ADA', source: 'erp' };
    const left = side(item('create', [account, role('r-1'), role('below')], [role('r-1')]));
    expect(findFixes({ sides: [left, side(item('pay', [account]))], atLeast: 2 })).toEqual([
      { sides: [1], assignments: [{ type: 'ENTITLEMENT', id: 'pay', name: 'pay', account }] },
      { sides: [0], assignments: [role('r-1'), { ...role('r-1'), account }] },
    ]);
  });

  test('takes away as many sides as are too many', () => {
    const sides = ['r-1', 'r-2', 'r-3'].map((id) => side(item(`e-${id}`, [role(id)])));
    expect(idsOf(sides, 2)).toEqual([
      ['r-1', 'r-2'],
      ['r-1', 'r-3'],
      ['r-2', 'r-3'],
    ]);
    expect(idsOf(sides.slice(0, 1), 1)).toEqual([['r-1']]);
  });

  test('is not known while it is not known how a side is held', () => {
    expect(idsOf([side(item('create', [role('r-1')])), side(item('pay'))], 2)).toEqual([]);
  });
});
