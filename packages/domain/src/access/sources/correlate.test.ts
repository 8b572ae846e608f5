import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storedIdentity } from '../../../test/import-world.ts';
import type { Identity } from '../model/records.ts';
import type { AccountFields, ManualLink } from './account.ts';
import { type CorrelationKey, comparedText, correlate, keysOfAccount, keysOfIdentity } from './correlate.ts';
import type { CorrelationRule } from './source.ts';

const account = (fields: Partial<AccountFields> = {}): AccountFields => ({
  id: '4711',
  name: 'ada',
  displayName: null,
  email: null,
  disabled: false,
  access: [],
  ...fields,
});

test.each([
  [' Ada\t', 'ada'],
  ['STRASSE', 'strasse'],
  ['straße', 'strasse'],
  ['\u00a0É', 'é'],
  ['', null],
  ['  ', null],
  [null, null],
  [undefined, null],
])('the compared form of %j is %j', (text, compared) => {
  expect(comparedText(text)).toBe(compared);
});

describe('the link of an account', () => {
  const key = (field: string): CorrelationKey => ({ field, value: 'x' });
  const found: Readonly<Record<string, readonly string[]>> = {
    none: [],
    one: ['i-1'],
    other: ['i-2'],
    two: ['i-1', 'i-2'],
  };
  const find = ({ field }: CorrelationKey) => found[field] ?? [];

  test.each<[string, readonly (string | null)[], ManualLink | null, string | null, object]>([
    ['is the one made by hand', ['one'], { identityId: 'i-9' }, null, { identityId: 'i-9', correlation: 'MANUAL' }],
    ['is none by hand', ['one'], { identityId: null }, 'i-3', { identityId: null, correlation: 'MANUAL' }],
    [
      'is that of the first rule with one match',
      ['none', 'one', 'other'],
      null,
      null,
      { identityId: 'i-1', correlation: 'RULE' },
    ],
    [
      'may be that of a later rule than one with several',
      ['two', 'other'],
      null,
      null,
      { identityId: 'i-2', correlation: 'RULE' },
    ],
    [
      'is none where a rule finds several',
      ['two'],
      null,
      'i-3',
      { identityId: null, correlation: 'AMBIGUOUS', candidates: ['i-1', 'i-2'] },
    ],
    ['passes over rules whose field is missing', [null, 'one'], null, null, { identityId: 'i-1', correlation: 'RULE' }],
    ['is none without a match', ['none', null], null, null, { identityId: null, correlation: 'NONE' }],
    ['is the identity it has made', ['none'], null, 'i-3', { identityId: 'i-3', correlation: 'RULE' }],
  ])('%s', (_, fields, manual, made, link) => {
    const keys = fields.map((field) => (field === null ? null : key(field)));
    expect(correlate({ manual, keys, made }, find)).toEqual({ candidates: [], ...link });
  });

  test('shows ten candidates at most', () => {
    const many = Array.from({ length: 12 }, (_, at) => `i-${at}`);
    expect(correlate({ manual: null, keys: [key('many')], made: null }, () => many).candidates).toEqual(
      many.slice(0, 10),
    );
  });
});

const text = fc.option(fc.constantFrom('a', 'A ', 'b', ' B', 'c', ''));
const attributes = fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('a', 'A', 'b', 'c'));
const rule = fc.record({
  account: fc.constantFrom('id', 'name', 'email', 'attributes.x', 'attributes.y'),
  identity: fc.constantFrom('id', 'uid', 'email', 'externalId', 'identificationNumber', 'attributes.x'),
});

/** What a field of a record is, found by name. */
function fieldOf(record: object, field: string): string | null {
  const [name = '', attribute] = field.split('.');
  const value: unknown = Reflect.get(record, name);
  return attribute === undefined
    ? ((value as string) ?? null)
    : ((value as Record<string, string>)?.[attribute] ?? null);
}

/** By comparing the account with each identity. */
function matches(
  one: AccountFields,
  identities: readonly Identity[],
  { account: from, identity: to }: CorrelationRule,
) {
  const wanted = (fieldOf(one, from) ?? '').trim().toLowerCase();
  if (wanted === '') return [];
  return identities.filter((each) => (fieldOf(each, to) ?? '').trim().toLowerCase() === wanted).map(({ id }) => id);
}

test('of any account equals that found by comparing it with every identity', () => {
  const world = fc.record({
    one: fc.record({ id: fc.constantFrom('a', 'q'), name: fc.constantFrom('a', 'B', 'z'), email: text, attributes }),
    people: fc.array(
      fc.record({
        uid: fc.constantFrom('a', 'b', 'c'),
        email: text,
        externalId: text,
        identificationNumber: text,
        attributes,
      }),
    ),
    rules: fc.array(rule, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(world, ({ one, people, rules }) => {
      const fields = account(one);
      const identities = people.map((each, at) => ({ ...storedIdentity(`i-${at}`), ...each }));
      const compared = new Set(rules.map((each) => each.identity));
      const find = (key: CorrelationKey) =>
        identities
          .filter((each) =>
            keysOfIdentity(each, compared).some((own) => own.field === key.field && own.value === key.value),
          )
          .map(({ id }) => id);
      const link = correlate({ manual: null, keys: keysOfAccount(fields, rules), made: null }, find);
      const found = rules.map((each) => matches(fields, identities, each));
      const single = found.find(({ length }) => length === 1);
      const several = found.find(({ length }) => length > 1);
      expect(link.identityId).toBe(single?.[0] ?? null);
      expect(link.candidates).toEqual(single === undefined ? (several ?? []).slice(0, 10) : []);
      expect(link.correlation).toBe(single === undefined ? (several === undefined ? 'NONE' : 'AMBIGUOUS') : 'RULE');
    }),
    runs(500),
  );
});
