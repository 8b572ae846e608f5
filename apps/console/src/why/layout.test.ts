import { expect, test } from 'vitest';
import type { Step } from './explain.ts';
import { BOX, layOut, wrapName } from './layout.ts';

const role: Step = { type: 'ROLE', id: 'r', name: 'Clerk' };
const profile: Step = { type: 'ACCESS_PROFILE', id: 'p', name: 'Payments' };
const item = (id: string, ...ways: readonly Step[][]) => ({ id, name: id, ways });
const sides = [
  { name: 'create', items: [item('create', [role], [])] },
  { name: 'pay', items: [item('pay', [role, profile]), item('release', [role, profile])] },
];

test('a graph has each box and each line once, from the person on the left to the items on the right', () => {
  const graph = layOut('Ada', sides);
  if (graph === null) throw new Error('it is not drawn');
  expect(graph.boxes.map(({ key }) => key).toSorted()).toEqual(
    ['person', 'ROLE r', 'ACCESS_PROFILE p', 'item 0 create', 'item 1 pay', 'item 1 release'].toSorted(),
  );
  expect(graph.lines.map(({ from, to }) => `${from.key} > ${to.key}`)).toEqual([
    'person > ROLE r',
    'ROLE r > item 0 create',
    'person > item 0 create',
    'ROLE r > ACCESS_PROFILE p',
    'ACCESS_PROFILE p > item 1 pay',
    'ACCESS_PROFILE p > item 1 release',
  ]);
  expect(graph.lines.every(({ from, to }) => from.x < to.x)).toBe(true);
  for (const one of graph.boxes) {
    const overlapping = graph.boxes.filter((other) => other.x === one.x && Math.abs(other.y - one.y) < BOX.height);
    expect(overlapping).toEqual([one]);
    expect(one.y + BOX.height).toBeLessThanOrEqual(graph.height);
  }
});

test('an account stands between the person and what it grants, with its source', () => {
  const account: Step = { type: 'ACCOUNT', id: 'k', name: 'ADA', source: 'erp' };
  const graph = layOut('Ada', [{ name: 'pay', items: [item('pay', [account, role]), item('release', [account])] }]);
  expect(graph?.columns.map(({ column }) => column)).toEqual(['PERSON', 'ACCOUNT', 'ROLE', 'ENTITLEMENT']);
  expect(graph?.boxes.find(({ column }) => column === 'ACCOUNT')?.name).toBe('ADA (erp)');
  expect(graph?.lines.map(({ from, to }) => `${from.key} > ${to.key}`)).toEqual([
    'person > ACCOUNT k',
    'ACCOUNT k > ROLE r',
    'ROLE r > item 0 pay',
    'ACCOUNT k > item 0 release',
  ]);
});

test('a line that passes a column runs between its boxes', () => {
  const account = (id: string): Step => ({ type: 'ACCOUNT', id, name: id, source: 'erp' });
  const ways = [[], [account('a')], [account('b')], [account('b'), profile], [role, profile]];
  const graph = layOut('Ada', [
    { name: 'create', items: [item('create', ...ways), item('change', [account('a')])] },
    { name: 'pay', items: [item('pay', ...ways), item('release', [account('b')], [])] },
  ]);
  if (graph === null) throw new Error('it is not drawn');
  const passes = graph.lines.flatMap((line) => line.passes);
  expect(passes.length).toBeGreaterThan(10);
  for (const { x, y } of passes)
    expect(graph.boxes.filter((box) => box.x === x && box.y <= y && y <= box.y + BOX.height)).toEqual([]);
  expect(new Set(passes.map(({ x, y }) => `${x} ${y}`)).size).toBe(passes.length);
});

test('columns without a box are left out', () => {
  expect(layOut('Ada', [{ name: 'pay', items: [item('pay', [])] }])?.columns.map(({ column }) => column)).toEqual([
    'PERSON',
    'ENTITLEMENT',
  ]);
});

test('what is too large is not drawn', () => {
  const items = Array.from({ length: 50 }, (_, at) => item(`e-${at}`, [role]));
  expect(layOut('Ada', [{ name: 'all', items }])).toBeNull();
});

test.each([
  ['AP: release payment run', ['AP: release payment', 'run']],
  ['Vendor', ['Vendor']],
  ['x'.repeat(10_000), [`${'x'.repeat(18)}…`]],
  ['Journal entries above the limit of the department', ['Journal entries', 'above the limit of…']],
])('the name %j is written in at most two lines', (name, lines) => {
  expect(wrapName(name, 19)).toEqual(lines);
});
