import { expect, test } from 'vitest';
import { createStatementNames } from './prepare-repeated.ts';

const long = (number: number) => `select ${number}, '${'x'.repeat(2_000)}'`;

test('a long statement has a name of its own from its second time on', () => {
  const { nameOf } = createStatementNames();
  expect([long(1), long(2), long(1), long(2), long(1)].map(nameOf)).toEqual([
    null,
    null,
    'repeated 0',
    'repeated 1',
    'repeated 0',
  ]);
});

test('a short statement has no name', () => {
  const { nameOf } = createStatementNames();
  expect(['select 1', 'select 1', 'select 1'].map(nameOf)).toEqual([null, null, null]);
});

test('a connection prepares a bounded number of statements', () => {
  const { nameOf } = createStatementNames();
  const names = Array.from({ length: 1_000 }, (_, number) => [nameOf(long(number)), nameOf(long(number))]).flat();
  expect(new Set(names).size).toBeLessThan(30);
});

test('a statement that is forgotten has a name that was not used before', () => {
  const { nameOf, forget } = createStatementNames();
  for (const number of [1, 1, 2, 2]) nameOf(long(number));
  forget(long(1));
  expect([long(1), long(1), long(2)].map(nameOf)).toEqual(['repeated 2', 'repeated 2', 'repeated 1']);
});
