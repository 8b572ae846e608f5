import { expect, test } from 'vitest';
import { findTextFaults } from './find-faults.ts';
import type { PageTexts } from './page-texts.ts';

const en = { name: '{name} signs in', codes: { one: '{count} code', other: '{count} codes' } };
const de = { name: '{name} meldet sich an', codes: { one: '{count} Code', other: '{count} Codes' } };
const vi = { name: '{name} đăng nhập', codes: { other: '{count} mã' } };
const faultsOf = (german: PageTexts<string>['de']) => findTextFaults({ en, de: german, vi });

test('a catalogue whose languages agree has no fault', () => {
  expect(faultsOf(de)).toEqual([]);
});

test('every difference from English is a fault', () => {
  expect(faultsOf({ codes: de.codes })).toEqual(['de: name is missing']);
  expect(faultsOf({ ...de, more: 'mehr' })).toEqual(['de: more is superfluous']);
  expect(faultsOf({ ...de, name: '{nam} meldet sich an' })).toEqual(['de: name has other values']);
  expect(faultsOf({ ...de, codes: { other: '{count} Codes' } })).toEqual(['de: codes has other forms']);
  expect(faultsOf({ ...de, codes: { ...de.codes, few: '{count} Codes' } })).toEqual(['de: codes has other forms']);
  expect(findTextFaults({ en: { name: 'a' }, de: { name: '' }, vi: { name: 'a' } })).toEqual(['de: name is empty']);
});
