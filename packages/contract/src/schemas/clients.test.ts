import { describe, expect, test } from 'vitest';
import { oauthClientPatch } from './clients.ts';

describe('a patch of a client', () => {
  const before = { name: 'CI', scopes: ['auth-users:read'] };
  // Of an earlier version, `x`.
  const clientPatch = oauthClientPatch([...before.scopes, 'x']);
  const apply = (operations: readonly object[]) => {
    const patch = clientPatch.parse(operations);
    const patched = patch.ok ? clientPatch.apply(before, patch.value) : patch;
    return patched.ok ? patched.value : patched.failure.type;
  };

  test.each([
    [[], before],
    [[{ op: 'replace', path: '/name', value: 'CD' }], { ...before, name: 'CD' }],
    [[{ op: 'add', path: '/scopes/-', value: 'x' }], { ...before, scopes: ['auth-users:read', 'x'] }],
    [[{ op: 'add', path: '/scopes/-', value: 'y' }], 'IllegalValue'],
    [[{ op: 'remove', path: '/scopes/0' }], 'RequiredMissing'],
    [[{ op: 'remove', path: '/name' }], 'IllegalValue'],
    [[{ op: 'remove', path: '/scopes' }], 'IllegalValue'],
    [[{ op: 'move', from: '/scopes/0', path: '/name' }], 'RequiredMissing'],
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
