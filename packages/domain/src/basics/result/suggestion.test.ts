import { expect, test } from 'vitest';
import { knownTextRule } from './suggestion.ts';

const SCOPES = ['auth-users:read', 'auth-users:manage', 'sod-policies:read'];
const ALL = 'must be one of auth-users:read, auth-users:manage, sod-policies:read';

test.each([
  ['auth-users:reed', 'auth-users:read'],
  ['auth_users:read', 'auth-users:read'],
  ['auth-users.manage', 'auth-users:manage'],
  ['SOD-POLICIES:READ', 'sod-policies:read'],
  ['policies:read', 'sod-policies:read'],
])('%s is close to %s', (given, meant) => {
  expect(knownTextRule(SCOPES, given)).toBe(`${ALL}: is ${meant} meant?`);
});

test.each(['', 'x', 'everything', 'x'.repeat(100_000), 7, null])('no suggestion for %j', (given) => {
  expect(knownTextRule(SCOPES, given)).toBe(ALL);
});
