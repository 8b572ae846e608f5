import { describe, expect, test } from 'vitest';
import {
  type AccessAdminClient,
  CAPABILITIES,
  createClient,
  type JsonPatch,
  validateCapabilityChange,
} from '../src/index.ts';

describe('the rules of capabilities', () => {
  const change = { before: ['HELPDESK'], targetId: 'i-1', channel: 'PATCH', at: 'capabilities' } as const;

  test('say before a call what the service would refuse', () => {
    const caller = { identityId: 'i-2', capabilities: ['ORG_ADMIN'] } as const;
    expect(validateCapabilityChange({ ...change, after: ['HELPDESK', 'CERT_ADMIN'], caller })).toBeNull();
    expect(validateCapabilityChange({ ...change, after: ['INTERNAL'], caller })).toMatchObject({
      type: 'Forbidden',
      causes: [{ at: 'capabilities', text: expect.stringContaining('INTERNAL is reserved') }],
    });
    const lacking = { identityId: 'i-2', capabilities: ['HELPDESK'] } as const;
    expect(validateCapabilityChange({ ...change, after: ['HELPDESK', 'CERT_ADMIN'], caller: lacking })).toMatchObject({
      causes: [{ text: expect.stringContaining('CERT_ADMIN') }],
    });
  });

  test('name each capability once', () => {
    expect(new Set(CAPABILITIES).size).toBe(CAPABILITIES.length);
  });
});

// The compiler checks these: a patch of a field that no patch may change is an error.
export function typedPatches({ authProfiles, authUsers, roles, sodPolicies }: AccessAdminClient): void {
  const grant: JsonPatch<'capabilities'> = [{ op: 'add', path: '/capabilities/-', value: 'HELPDESK' }];
  void authUsers.patch('i-1', grant);
  void authProfiles.patch('ip-1', [{ op: 'replace', path: '/type', value: 'MFA' }]);
  void sodPolicies.patch('p-1', [{ op: 'add', path: '/tags/-', value: 'finance' }]);
  // @ts-expect-error: names come from the directory
  void authUsers.patch('i-1', [{ op: 'replace', path: '/displayName', value: 'Ada' }]);
  // @ts-expect-error: the service says when a policy was modified
  void sodPolicies.patch('p-1', [{ op: 'replace', path: '/modified', value: '' }]);
  // @ts-expect-error: an id stays
  void roles.patch('r-1', [{ op: 'replace', path: '/id', value: 'r-2' }]);
}

test('a patch with a path from elsewhere is sent as it is', async () => {
  const sent: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    return Response.json({ id: 'i-1' });
  };
  const client = createClient({ baseAddress: 'http://service.example', token: 't', fetch });
  const patch: JsonPatch<'capabilities'> = [{ op: 'test', path: '/capabilities/0', value: 'HELPDESK' }];
  await client.authUsers.patch('i-1', patch);
  expect(sent).toEqual([patch]);
});
