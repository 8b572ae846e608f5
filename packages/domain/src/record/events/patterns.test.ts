import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../administration/authorization.ts';
import { authorizePatterns, coveredTypes, parseEventPatterns, readableEventTypes } from './patterns.ts';
import { EVENT_TYPE_NAMES } from './table.ts';

const APPLICATION = { tenant: 'acme', clientId: 'c-1', scopes: new Set<string>(), identityId: null, capabilities: [] };

describe('patterns of event types', () => {
  test.each([
    [['*'], EVENT_TYPE_NAMES],
    [['sod.check.completed'], ['sod.check.completed']],
    [
      ['oauth-client.*', 'sod.check.*'],
      ['sod.check.completed', 'oauth-client.created', 'oauth-client.deleted'],
    ],
    [['sod.*'], EVENT_TYPE_NAMES.filter((type) => type.startsWith('sod.'))],
  ])('%j names types in the order of the table', (patterns, types) => {
    expect(parseEventPatterns(patterns, 'types')).toEqual({ ok: true, value: types });
  });

  test.each([
    [[]],
    [['']],
    [['sod']],
    [['sod.']],
    [['sod.chec*']],
    [['*.completed']],
    [['.*']],
    [['**']],
    [['*', 'x.*']],
  ])('%j is refused', (patterns) => {
    expect(parseEventPatterns(patterns, 'types')).toMatchObject({
      ok: false,
      failure: { type: 'IllegalValue', causes: [{ at: 'types' }] },
    });
  });
});

describe('the types that a caller may read', () => {
  test('are those of the resources that it may read', () => {
    const scopes = new Set(['events:read', 'ui-metadata:read', 'sod-policies:manage']);
    const policies = EVENT_TYPE_NAMES.filter((type) => type.startsWith('sod.policy.'));
    expect(readableEventTypes({ ...APPLICATION, scopes })).toEqual([...policies, 'ui-metadata.changed']);
    expect(readableEventTypes({ ...APPLICATION, scopes, identityId: 'i-1', capabilities: ['POLICY_ADMIN'] })).toEqual(
      policies,
    );
    expect(readableEventTypes({ ...APPLICATION, scopes, identityId: 'i-1' })).toEqual([]);
  });

  test('exceptions are for identities only', () => {
    const scopes = new Set<string>(SCOPES);
    const exceptions = EVENT_TYPE_NAMES.filter((type) => type.startsWith('sod.exception.'));
    expect(readableEventTypes({ ...APPLICATION, scopes })).not.toEqual(expect.arrayContaining(exceptions));
    const admin = { ...APPLICATION, scopes, identityId: 'i-1', capabilities: ['ORG_ADMIN' as const] };
    expect(readableEventTypes(admin)).toEqual(expect.arrayContaining(exceptions));
  });
});

describe('the patterns of a webhook', () => {
  const reader = { ...APPLICATION, scopes: new Set(['sod-policies:read']) };
  const some = EVENT_TYPE_NAMES.slice(0, 20);

  test('cover what they name and the caller may read', () => {
    const policies = ['sod.policy.created', 'sod.policy.updated', 'sod.policy.deleted'];
    expect(coveredTypes(['*'], reader)).toEqual(policies);
    expect(coveredTypes(['sod.policy.deleted', 'sod.policy.created'], reader)).toEqual([policies[0], policies[2]]);
    expect(coveredTypes(['sod.check.*', 'ui-metadata.changed'], reader)).toEqual([]);
    expect(coveredTypes([], reader)).toEqual([]);
  });

  test('are refused where they name what the caller may not read; * names only what it may', () => {
    expect(authorizePatterns(['*', 'sod.policy.*', 'sod.policy.created'], reader)).toBeNull();
    expect(authorizePatterns(['*'], APPLICATION)).toBeNull();
    expect(authorizePatterns(['sod.policy.*', 'sod.*', 'webhook.disabled'], reader)).toMatchObject({
      type: 'Forbidden',
      causes: [{ at: 'types[1]' }, { at: 'types[2]', text: expect.stringContaining('webhook.disabled') }],
    });
    for (const type of some)
      expect([type, authorizePatterns([type], reader) === null]).toEqual([type, type.startsWith('sod.policy.')]);
  });
});
