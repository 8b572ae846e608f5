import { expect, test } from 'vitest';
import { findTextFaults } from '../texts/find-faults.ts';
import { LOGIN_TEXTS } from './texts.ts';

test('the languages of the form of sign-in agree', () => {
  expect(findTextFaults(LOGIN_TEXTS)).toEqual([]);
});
