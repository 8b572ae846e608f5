import { describe, expect, test } from 'vitest';
import { type Caller, SCOPES } from './authorization.ts';
import { CAPABILITIES } from './capability.ts';
import { authorizeNewClient, parseClientPatch, patchClient, validateClientDeletion } from './oauth-client.ts';

const caller = (change: Partial<Caller> = {}): Caller => ({
  tenant: 'acme',
  clientId: 'c-1',
  scopes: new Set(SCOPES),
  identityId: null,
  capabilities: [],
  ...change,
});

describe('a new client', () => {
  const scopes = new Set(['oauth-clients:manage', 'auth-users:read']);
  const administrator = { identityId: 'i-1', capabilities: CAPABILITIES };

  test.each([
    ['the scopes of its creator', ['oauth-clients:manage', 'auth-users:read'], 'acme', scopes],
    ['some of them', ['auth-users:read'], 'acme', scopes],
    ['another tenant, by tenants:manage', ['auth-users:read'], 'other', new Set([...scopes, 'tenants:manage'])],
  ] as const)('may have %s', (_, wanted, tenant, held) => {
    expect(authorizeNewClient({ scopes: wanted, tenant, caller: caller({ scopes: held }) })).toBeNull();
  });

  test.each([
    ['a scope that its creator lacks', ['auth-users:manage'], 'acme', ['scopes[0]']],
    ['the managing scope of one that only reads', ['auth-users:read', 'auth-users:manage'], 'acme', ['scopes[1]']],
    ['another tenant without tenants:manage', ['auth-users:read'], 'other', ['tenant']],
    ['tenants:manage from one that lacks it', ['tenants:manage'], 'other', ['scopes[0]', 'tenant']],
  ] as const)('may not have %s', (_, wanted, tenant, places) => {
    const forbidden = authorizeNewClient({ scopes: wanted, tenant, caller: caller({ scopes }) });
    expect(forbidden?.type).toBe('Forbidden');
    expect(forbidden?.causes.map(({ at }) => at)).toEqual(places);
  });

  test('is validated by scopes alone, whatever capabilities its creator has', () => {
    const by = caller({ scopes, ...administrator });
    expect(authorizeNewClient({ scopes: ['auth-users:manage'], tenant: 'acme', caller: by })).not.toBeNull();
  });

  test('has its own tenant and no scope for tenants when its creator acts as an identity, even one with all rights', () => {
    const by = caller(administrator);
    const refusedAt = (wanted: (typeof SCOPES)[number], tenant: string) =>
      authorizeNewClient({ scopes: [wanted], tenant, caller: by })?.causes.map(({ at }) => at);
    expect(refusedAt('auth-users:read', 'acme')).toBeUndefined();
    expect(refusedAt('auth-users:read', 'other')).toEqual(['tenant']);
    expect(refusedAt('tenants:manage', 'acme')).toEqual(['scopes[0]']);
  });
});

describe('a patch of a client', () => {
  const before = { name: 'CI', scopes: ['auth-users:read'] };
  const apply = (operations: readonly object[]) => {
    const patch = parseClientPatch(operations);
    const patched = patch.ok ? patchClient(before, patch.value) : patch;
    return patched.ok ? patched.value : patched.failure.type;
  };

  test.each([
    [[], before],
    [[{ op: 'replace', path: '/name', value: 'CD' }], { ...before, name: 'CD' }],
    [[{ op: 'add', path: '/scopes/-', value: 'x' }], { ...before, scopes: ['auth-users:read', 'x'] }],
    [[{ op: 'remove', path: '/scopes/0' }], { ...before, scopes: [] }],
    [[{ op: 'remove', path: '/name' }], 'IllegalValue'],
    [[{ op: 'remove', path: '/scopes' }], 'IllegalValue'],
    [[{ op: 'move', from: '/scopes/0', path: '/name' }], { name: 'auth-users:read', scopes: [] }],
    [[{ op: 'test', path: '/name', value: 'CD' }], 'Conflict'],
    [[{ op: 'replace', path: '/scopes/7', value: 'x' }], 'IllegalValue'],
  ])('%j leaves %j', (operations, left) => {
    expect(apply(operations)).toEqual(left);
  });

  test.each(['', '/id', '/identityId', '/tenant', '/created', '/secret', '/secretHash', '/isBootstrap', '/__proto__'])(
    'does not touch %j',
    (path) => {
      expect(apply([{ op: 'replace', path, value: 'x' }])).toBe('IllegalUpdate');
      expect(apply([{ op: 'copy', from: path, path: '/name' }])).toBe('IllegalUpdate');
    },
  );
});

test('the last client that can administer clients is not deleted', () => {
  const standing = { isBootstrap: true, isLastAdministrator: true };
  expect(validateClientDeletion(standing)?.type).toBe('Conflict');
  expect(validateClientDeletion({ ...standing, isLastAdministrator: false })).toBeNull();
});
