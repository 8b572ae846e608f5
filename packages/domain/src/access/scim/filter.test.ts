import { describe, expect, test } from 'vitest';
import { parseScimFilter, parseScimPath } from './filter.ts';

const compare = (attribute: string, operator: string, value: unknown) => ({
  kind: 'compare',
  attribute,
  operator,
  value,
});

describe('a filter', () => {
  test.each<[string, unknown]>([
    ['userName eq "bjensen"', compare('username', 'eq', 'bjensen')],
    ['USERNAME Eq "bjensen"', compare('username', 'eq', 'bjensen')],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', compare('username', 'sw', 'J')],
    ['title pr', { kind: 'present', attribute: 'title' }],
    ['active eq true', compare('active', 'eq', true)],
    ['active eq False', compare('active', 'eq', false)],
    ['displayName eq null', compare('displayname', 'eq', null)],
    ['a gt -1.5e3', compare('a', 'gt', -1500)],
    [String.raw`userName eq "a\"b\\c\u00e9"`, compare('username', 'eq', 'a"b\\cé')],
    [
      'a pr or b pr and c pr',
      {
        kind: 'or',
        filters: [
          { kind: 'present', attribute: 'a' },
          {
            kind: 'and',
            filters: [
              { kind: 'present', attribute: 'b' },
              { kind: 'present', attribute: 'c' },
            ],
          },
        ],
      },
    ],
    [
      'not (a pr) and (b pr)',
      {
        kind: 'and',
        filters: [
          { kind: 'not', filter: { kind: 'present', attribute: 'a' } },
          { kind: 'present', attribute: 'b' },
        ],
      },
    ],
    [
      'emails[type eq "work" and value co "@"]',
      {
        kind: 'value',
        attribute: 'emails',
        filter: { kind: 'and', filters: [compare('type', 'eq', 'work'), compare('value', 'co', '@')] },
      },
    ],
  ])('%s is read', (text, expected) => {
    expect(parseScimFilter(text)).toEqual(expected);
  });

  test.each([
    '',
    'a',
    'a eq',
    'a eq "x',
    'a eq x',
    'a is "x"',
    'a pr b pr',
    '(a pr',
    'a pr)',
    'a[b pr',
    'not a pr',
    'a eq "x" and',
    '"a" eq "b"',
    'a eq "\\x"',
    `${'('.repeat(40)}a pr${')'.repeat(40)}`,
  ])('%s is refused', (text) => {
    expect(parseScimFilter(text)).toBeNull();
  });
});

describe('a path', () => {
  test.each<[string, unknown]>([
    ['members', { attribute: 'members', filter: null, subAttribute: null }],
    ['name.givenName', { attribute: 'name.givenName', filter: null, subAttribute: null }],
    [
      'emails[type eq "work"].value',
      { attribute: 'emails', filter: compare('type', 'eq', 'work'), subAttribute: 'value' },
    ],
    ['urn:ietf:params:scim:schemas:core:2.0:Group:members', { attribute: 'members', filter: null, subAttribute: null }],
  ])('%s is read', (text, expected) => {
    expect(parseScimPath(text)).toEqual(expected);
  });

  test.each(['', 'a b', 'a[', 'a[]', 'a[b]', '[a pr]', 'a[b pr].'])('%s is refused', (text) => {
    expect(parseScimPath(text)).toBeNull();
  });
});
