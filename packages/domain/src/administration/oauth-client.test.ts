import { describe, expect, test } from 'vitest';
import { authorizeProof, type Caller, SCOPES } from './authorization.ts';
import { CAPABILITIES } from './capability.ts';
import {
  authorizeNewClient,
  authorizeSecretRotation,
  type ClientStanding,
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

const CLIENT = { scopes: ['auth-users:read'], identityId: null };

describe('a session', () => {
  const session = caller({ identityId: 'i-1', capabilities: CAPABILITIES, provenMs: 0 });
  const standing = { isBootstrap: false, isLastAdministrator: false, scopesHeldAlone: [] };

  test.each([
    ['an application that only reads', { scopes: ['auth-users:read', 'events:read'] }, true],
    ['an application that can change something', { scopes: ['auth-users:read', 'sod-policies:manage'] }, false],
    ['its own identity with every scope', { scopes: ['sod-policies:manage'], identityId: 'i-1' }, true],
    ['another identity that only reads', { scopes: ['auth-users:read'], identityId: 'i-2' }, true],
    ['another identity that can change something', { scopes: ['auth-users:manage'], identityId: 'i-2' }, false],
  ] as const)('administers %s: %o', (_, client, isAllowed) => {
    const before = { name: 'c', ...client };
    const decisions = [
      authorizeNewClient({ ...client, tenant: 'acme', caller: session }),
      validateClientChange({ before, after: { name: 'd', scopes: client.scopes }, standing, caller: session }),
      authorizeSecretRotation(client, session),
      validateClientDeletion(client, standing, session),
    ];
    expect(decisions.map((decision) => decision?.type ?? null)).toEqual(
      decisions.map(() => (isAllowed ? null : 'Forbidden')),
    );
  });

  test('gives no client that only reads a scope to change something, nor takes it from one that has it', () => {
    const [reads, changes] = [{ scopes: ['auth-users:read'] }, { scopes: ['auth-users:manage'] }] as const;
    for (const [before, after] of [
      [reads, changes],
      [changes, reads],
    ] as const)
      expect(
        validateClientChange({
          before: { name: 'c', ...before },
          after: { name: 'c', ...after },
          standing,
          caller: session,
        })?.type,
      ).toBe('Forbidden');
  });

  test.each([
    ['lately', 300_000 - 1, true],
    ['five minutes ago', 300_000, false],
  ])('that has proven a factor %s', (_, nowMs, isAllowed) => {
    const rights = { scopes: [], capabilities: [], resource: 'OAUTH_CLIENT', freshProof: true } as const;
    const decision = authorizeProof(rights, session, nowMs);
    expect(decision.ok).toBe(isAllowed);
    if (!decision.ok) expect(decision.failure.causes[0]?.text).toContain('/account/confirm');
    expect(authorizeProof({ ...rights, freshProof: false }, session, nowMs).ok).toBe(true);
    expect(authorizeProof(rights, caller(), nowMs).ok).toBe(true);
  });
});

const standing: ClientStanding = { isBootstrap: false, isLastAdministrator: false, scopesHeldAlone: [] };

test('the last client that can administer clients is not deleted', () => {
  expect(
    validateClientDeletion(CLIENT, { ...standing, isBootstrap: true, isLastAdministrator: true }, caller())?.type,
  ).toBe('Conflict');
  expect(validateClientDeletion(CLIENT, { ...standing, isBootstrap: true }, caller())).toBeNull();
});

test('the last application that holds a scope is not deleted, and is told up to three of these scopes', () => {
  const textOf = (scopesHeldAlone: readonly string[]) =>
    validateClientDeletion(CLIENT, { ...standing, scopesHeldAlone }, caller())?.causes.map(({ at, text }) => [
      at,
      text,
    ]);
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
