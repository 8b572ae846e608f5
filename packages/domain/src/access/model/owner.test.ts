import { expect, test } from 'vitest';
import { showOwner } from './owner.ts';

const NAMES = new Map([
  ['i-ada', 'Ada'],
  ['i-bea', null],
]);

test.each([
  ['with its present name', 'i-ada', { type: 'IDENTITY', id: 'i-ada', name: 'Ada' }],
  ['that has no name', 'i-bea', { type: 'IDENTITY', id: 'i-bea', name: null }],
  ['that does not exist any more', 'i-gone', null],
  ['that was never given', null, null],
])('an owner %s', (_, id, shown) => {
  expect(showOwner(id, NAMES)).toEqual(shown);
});
