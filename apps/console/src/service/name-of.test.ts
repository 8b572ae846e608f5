import { expect, test } from 'vitest';
import { nameOf } from './name-of.ts';

test.each([
  ['Ada Example', 'Ada Example'],
  [null, 'i-1'],
  [undefined, 'i-1'],
  ['', 'i-1'],
  ['  ', 'i-1'],
])('a person with the name %j is called %j', (displayName, name) => {
  expect(nameOf('i-1', displayName)).toBe(name);
});
