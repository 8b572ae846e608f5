import { expect, test } from 'vitest';
import { fillIn, fillParts } from './fill-in.ts';

test('values are written as the language writes them', () => {
  const count = { one: '{count} violation', other: '{count} violations' };
  expect(fillIn(count, { count: 1 }, 'en')).toBe('1 violation');
  expect(fillIn(count, { count: 1234 }, 'en')).toBe('1,234 violations');
  expect(fillIn('{count} Personen', { count: 1234 }, 'de')).toBe('1.234 Personen');
  expect(fillIn('{name} of {name}', { name: '{name}$&' }, 'en')).toBe('{name}$& of {name}$&');
});

test('values that are no texts stay what they are', () => {
  const value = { tag: 'strong' };
  expect(fillParts('For {name}, {count} times', { name: value, count: 1234 }, 'en')).toEqual([
    'For ',
    value,
    ', ',
    '1,234',
    ' times',
  ]);
});
