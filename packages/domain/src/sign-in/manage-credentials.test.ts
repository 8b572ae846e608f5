import { expect, test } from 'vitest';
import type { Capability } from '../administration/capability.ts';
import { validateCredentialTarget, validateOtherCredentialTarget } from './manage-credentials.ts';

const identity = (...capabilities: readonly Capability[]) => ({ identityId: 'i-1', capabilities });
const outcome = (result: ReturnType<typeof validateCredentialTarget>) => (result.ok ? 'ok' : result.failure.type);

test.each<[string, readonly Capability[], ReturnType<typeof identity> | null, string]>([
  ['an application', ['ORG_ADMIN', 'INTERNAL'], null, 'ok'],
  ['an agent on a user without capabilities', [], identity('HELPDESK'), 'ok'],
  ['an agent on an agent', ['HELPDESK'], identity('HELPDESK'), 'ok'],
  ['an agent on an administrator', ['ORG_ADMIN'], identity('HELPDESK'), 'Forbidden'],
  ['an agent on one with one capability more', ['HELPDESK', 'CERT_ADMIN'], identity('HELPDESK'), 'Forbidden'],
  ['an administrator on an agent', ['HELPDESK'], identity('ORG_ADMIN'), 'Forbidden'],
])('%s', (_title, capabilities, caller, expected) => {
  const by = caller ?? { identityId: null, capabilities: [] };
  expect(outcome(validateCredentialTarget({ capabilities }, by))).toBe(expected);
});

test('parts of a way in are changed of others alone', () => {
  const admin = identity('ORG_ADMIN');
  const of = (identityId: string, ...capabilities: readonly Capability[]) =>
    outcome(validateOtherCredentialTarget({ identityId, capabilities }, admin));
  expect([of('i-1', 'ORG_ADMIN'), of('i-2', 'ORG_ADMIN'), of('i-2', 'HELPDESK')]).toEqual([
    ...['Forbidden', 'ok', 'Forbidden'],
  ]);
  const application = { identityId: null, capabilities: [] };
  expect(outcome(validateOtherCredentialTarget({ identityId: 'i-1', capabilities: [] }, application))).toBe('ok');
});
