import { expect, test } from 'vitest';
import { findApplication, parseSignInApplications } from './applications.ts';

const LDAP = {
  id: 'app-1',
  name: 'Directory',
  kind: 'ldap',
  tenants: ['acme', 'beta'],
  url: 'ldaps://d.example',
  bindDn: 'uid={username},dc=example',
};
const OIDC = {
  id: 'app-2',
  name: 'Provider',
  kind: 'oidc',
  tenants: ['acme'],
  issuer: 'https://sso.example.com/realms/acme',
  clientId: 'access-admin',
  clientSecret: 'a secret of the client',
};

const PEM = '-----BEGIN CERTIFICATE-----';
const readText = (path: string): string => {
  if (path === 'missing.pem') throw new Error('ENOENT');
  return path === 'ca.pem' ? PEM : 'no certificate';
};
const parse = (applications: unknown) => parseSignInApplications(JSON.stringify(applications), readText);

test('an application is found for its tenants alone', () => {
  const parsed = parse([LDAP, { ...LDAP, tenants: ['gamma'] }]);
  const all = parsed.ok ? parsed.value : [];
  const found = { ...LDAP, startTls: false, authorities: null, timeoutMs: 5_000, connectionsMax: 8 };
  expect(findApplication(all, 'beta', 'app-1')).toEqual(found);
  expect(findApplication(all, 'gamma', 'app-1')?.tenants).toEqual(['gamma']);
  expect(findApplication(all, 'delta', 'app-1')).toBeNull();
  expect(findApplication(all, 'acme', 'app-2')).toBeNull();
  expect(findApplication(all, 'acme', null)).toBeNull();
});

test('what an application leaves out has a default', () => {
  expect(parse([OIDC])).toEqual({
    ok: true,
    value: [{ ...OIDC, usernameClaim: 'preferred_username', scopes: 'openid profile email' }],
  });
});

test.each(['', '{}', 'null', '[{"id":"a","id":"b"}]'])('%s is no file of applications', (text) => {
  expect(parseSignInApplications(text, readText)).toMatchObject({ ok: false });
});

test.each([
  [{ ...LDAP, kind: 'saml' }, '.kind'],
  [{ ...LDAP, id: '' }, '.id'],
  [{ ...LDAP, id: 'a/b' }, '.id'],
  [{ ...LDAP, tenants: [] }, '.tenants'],
  [{ ...LDAP, tenants: ['Acme'] }, '.tenants.0'],
  [{ ...LDAP, url: 'https://d.example' }, '.url'],
  [{ ...LDAP, url: 'ldap://d.example' }, '.url'],
  [{ ...LDAP, url: 'ldaps://user:password@d.example' }, '.url'],
  [{ ...LDAP, url: 'ldaps://d.example/dc=x' }, '.url'],
  [{ ...LDAP, startTls: true }, '.startTls'],
  [{ ...LDAP, bindDn: 'uid=ada' }, '.bindDn'],
  [{ ...LDAP, caFile: 'missing.pem' }, '.caFile'],
  [{ ...LDAP, caFile: 'other.pem' }, '.caFile'],
  [{ ...LDAP, timeoutMs: 0 }, '.timeoutMs'],
  [{ ...LDAP, connectionsMax: 1.5 }, '.connectionsMax'],
  [{ ...LDAP, password: 'secret' }, '.password'],
  [{ ...OIDC, issuer: 'http://sso.example.com' }, '.issuer'],
  [{ ...OIDC, issuer: 'https://sso.example.com?x' }, '.issuer'],
  [{ ...OIDC, clientSecret: undefined }, '.clientSecret'],
  [{ ...OIDC, clientSecret: ['secret'] }, '.clientSecret'],
  [{ ...OIDC, scopes: 'profile' }, '.scopes'],
])('%j is refused at %s', (application, place) => {
  const parsed = parse([application]);
  expect(parsed.ok ? [] : parsed.failure.map((fault) => fault.split(' ')[0])).toEqual([`[0]${place}`]);
  expect(JSON.stringify(parsed)).not.toMatch(/secret of|password@|"secret"/);
});

test('certificates of authorities are read at start', () => {
  expect(parse([{ ...LDAP, caFile: 'ca.pem' }])).toMatchObject({ value: [{ authorities: PEM }] });
});

test('plain connections stay on this machine', () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    expect([host, parse([{ ...LDAP, url: `ldap://${host}:3890` }]).ok]).toEqual([host, true]);
  expect(parse([{ ...LDAP, url: 'ldap://d.example', startTls: true }]).ok).toBe(true);
  expect(parse([{ ...LDAP, url: 'ldap://127.0.0.1.example' }]).ok).toBe(false);
  expect(parse([{ ...OIDC, issuer: 'http://127.0.0.1:4000' }]).ok).toBe(true);
});

test('all issues are listed', () => {
  const parsed = parse([{ ...LDAP, url: 'x', bindDn: 'x' }, OIDC, { ...OIDC, clientId: '' }, OIDC, LDAP]);
  expect(parsed.ok ? [] : parsed.failure.map((fault) => fault.split(' ')[0])).toEqual([
    '[0].url',
    '[0].bindDn',
    '[2].clientId',
    'app-2',
  ]);
});
