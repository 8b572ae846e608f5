import { describe, expect, test } from 'vitest';
import { type Caller, SCOPES } from './authorization.ts';
import { CAPABILITIES } from './capability.ts';
import {
  authorizeNewClient,
  type ClientStanding,
  parseClientPatch,
  patchClient,
  validateClientChange,
  validateClientDeletion,
} from './oauth-client.ts';

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

const standing: ClientStanding = { isBootstrap: false, isLastAdministrator: false, scopesHeldAlone: [] };

test('the last client that can administer clients is not deleted', () => {
  expect(validateClientDeletion({ ...standing, isBootstrap: true, isLastAdministrator: true })?.type).toBe('Conflict');
  expect(validateClientDeletion({ ...standing, isBootstrap: true })).toBeNull();
});

test('the last application that holds a scope is not deleted, and is told up to three of these scopes', () => {
  const textOf = (scopesHeldAlone: readonly string[]) =>
    validateClientDeletion({ ...standing, scopesHeldAlone })?.causes.map(({ at, text }) => [at, text]);
  expect(textOf([])).toBeUndefined();
  expect(textOf(['events:read'])).toEqual([
    [
      '',
      'the client is the last application of the tenant that holds events:read; first create another application that does',
    ],
  ]);
  expect(textOf(SCOPES)?.[0]?.[1]).toContain(`${SCOPES.slice(0, 3).join(', ')} and ${SCOPES.length - 3} more;`);
});

test('the last application that holds a scope does not lose it, and may lose the others', () => {
  const before = { name: 'CI', scopes: ['auth-users:read', 'events:read', 'of an earlier version'] };
  const refusalOf = (scopes: readonly string[]) =>
    validateClientChange({
      before,
      after: { ...before, scopes },
      standing: { ...standing, scopesHeldAlone: ['events:read'] },
      caller: caller(),
    });
  expect(refusalOf(['events:read'])).toBeNull();
  expect(refusalOf(['events:read', 'auth-users:manage'])).toBeNull();
  expect(refusalOf(['auth-users:read'])).toMatchObject({ type: 'Conflict', causes: [{ at: 'scopes' }] });
});
