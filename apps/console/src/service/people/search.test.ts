import { expect, test } from 'vitest';
import { filtersOfPeople, parsePeopleSearch } from './search.ts';

test('the address of the list is read, and what is not understood is left out', () => {
  expect(parsePeopleSearch({ text: 'Nygård', sort: 'x' })).toEqual({ text: 'Nygård' });
  expect(parsePeopleSearch({ text: 10 })).toEqual({ text: '10' });
  expect(parsePeopleSearch({ text: ['x'], create: 'x' })).toEqual({});
  expect(parsePeopleSearch({ create: 'invite' })).toEqual({ create: 'invite' });
});

test('everybody is listed without a text', () => {
  expect(filtersOfPeople({})).toEqual([undefined]);
  expect(filtersOfPeople({ text: '  ' })).toEqual([undefined]);
});

test.each([
  ['ny', 'sw'],
  ['nyg', 'co'],
  // Four code units, two characters: the service counts characters.
  ['👩🏽', 'sw'],
  // Six code units, three characters once they are composed.
  ['ééé', 'co'],
  ['عرب', 'co'],
])('%s is sought in names first, then in usernames and email addresses, by %s', (text, operator) => {
  const fields = ['displayName', 'uid', 'email'];
  expect(filtersOfPeople({ text: ` ${text} ` })).toEqual(fields.map((field) => `${field} ${operator} "${text}"`));
});

test('quotes are a part of the text', () => {
  expect(filtersOfPeople({ text: 'a"b\\' })[0]).toBe('displayName co "a\\"b\\\\"');
});
