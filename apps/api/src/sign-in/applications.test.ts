import { expect, test } from 'vitest';
import { findApplication, parseSignInApplications } from './applications.ts';

const LDAP = { id: 'app-1', name: 'Directory', kind: 'ldap', tenants: ['acme', 'beta'], url: 'ldaps://d.example' };

test('an application is found for its tenants alone', () => {
  const all = parseSignInApplications(JSON.stringify([LDAP, { ...LDAP, tenants: ['gamma'] }])) ?? [];
  expect(findApplication(all, 'beta', 'app-1')).toEqual(LDAP);
  expect(findApplication(all, 'gamma', 'app-1')?.tenants).toEqual(['gamma']);
  expect(findApplication(all, 'delta', 'app-1')).toBeNull();
  expect(findApplication(all, 'acme', 'app-2')).toBeNull();
  expect(findApplication(all, 'acme', null)).toBeNull();
});

test.each([
  '',
  '{}',
  'null',
  '[{}]',
  JSON.stringify([{ ...LDAP, kind: 'saml' }]),
  JSON.stringify([{ ...LDAP, id: '' }]),
  JSON.stringify([{ ...LDAP, tenants: [] }]),
  JSON.stringify([{ ...LDAP, tenants: ['Acme'] }]),
  JSON.stringify([LDAP, { ...LDAP, tenants: ['beta'] }]),
])('%s is no file of applications', (text) => {
  expect(parseSignInApplications(text)).toBeNull();
});
