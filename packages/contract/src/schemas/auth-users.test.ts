import { CAPABILITIES, CAPABILITIES_MAX } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { validate } from '../validation/validate.ts';
import { capabilities } from './auth-users.ts';

const parse = (value: unknown) => validate(capabilities, value);

describe('a list of capabilities is parsed', () => {
  test.each([
    [[]],
    [['ORG_ADMIN']],
    [['REPORT_ADMIN', 'CERT_ADMIN']],
    [['das:ui-administrator', 'sp:ui-config-hub-read', 'INTERNAL']],
    [[...CAPABILITIES]],
    [CAPABILITIES.toReversed()],
  ])('%j, in the same order', (names) => {
    expect(parse(names)).toStrictEqual({ ok: true, value: names });
  });
});

describe('a list with other values is IllegalValue', () => {
  test.each([
    ['unknown', 'SUPER_ADMIN'],
    ['empty', ''],
    ['another case', 'org_admin'],
    ['another case of a part', 'DAS:ui-auditor'],
    ['a trailing space', 'ORG_ADMIN '],
    ['a leading space', ' ORG_ADMIN'],
    ['a line break', 'ORG_ADMIN\n'],
    ['a Cyrillic look-alike', 'ОRG_ADMIN'],
    ['full width', 'ＯＲＧ＿ＡＤＭＩＮ'],
    ['a zero-width space', 'ORG_\u200bADMIN'],
    ['a member of every object', 'toString'],
    ['a prototype', '__proto__'],
    ['an index', '0'],
    ['null', null],
    ['a number', 5],
    ['an array', ['ORG_ADMIN']],
    ['an object', { name: 'ORG_ADMIN' }],
    ['an object that reads as a name', { toString: () => 'ORG_ADMIN' }],
    ['a repetition', 'CERT_ADMIN'],
  ])('%s', (_title, name) => {
    expect(parse(['CERT_ADMIN', name])).toEqual({
      ok: false,
      failure: { type: 'IllegalValue', causes: [{ type: 'IllegalValue', at: '[1]', text: expect.any(String) }] },
    });
  });
});

test('64 names are validated one by one, with at most 20 causes; 65 are LimitExceeded', () => {
  const many = (count: number) => parse(Array(count).fill('ORG_ADMIN'));
  const refused = many(CAPABILITIES_MAX);
  expect(refused.ok ? null : [refused.failure.type, refused.failure.causes.length]).toEqual(['IllegalValue', 20]);
  expect(many(CAPABILITIES_MAX + 1)).toMatchObject({
    failure: { type: 'LimitExceeded', causes: [{ at: '' }] },
  });
});
