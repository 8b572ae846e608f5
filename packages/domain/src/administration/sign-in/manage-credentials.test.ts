import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CAPABILITIES, type Capability } from '../capability.ts';
import {
  exceedsMaker,
  isLinkPermitted,
  validateCredentialTarget,
  validateOtherCredentialTarget,
} from './manage-credentials.ts';

const identity = (...capabilities: readonly Capability[]) => ({ identityId: 'i-1', capabilities });
const outcome = (result: ReturnType<typeof validateCredentialTarget>) => (result.ok ? 'ok' : result.failure.type);

test.each<[string, readonly Capability[], ReturnType<typeof identity> | null, string]>([
  ['an application', ['ORG_ADMIN', 'INTERNAL'], null, 'ok'],
  ['an agent on a user without capabilities', [], identity('HELPDESK'), 'ok'],
  ['an agent on an agent', ['HELPDESK'], identity('HELPDESK'), 'ok'],
  ['an agent on an administrator', ['ORG_ADMIN'], identity('HELPDESK'), 'Forbidden'],
  ['an agent on one with one capability more', ['HELPDESK', 'CERT_ADMIN'], identity('HELPDESK'), 'Forbidden'],
  ['an administrator on an agent', ['HELPDESK', 'POLICY_ADMIN'], identity('ORG_ADMIN'), 'ok'],
  ['an administrator on an internal user', ['INTERNAL'], identity('ORG_ADMIN', 'HELPDESK'), 'Forbidden'],
])('%s', (_title, capabilities, caller, expected) => {
  const by = caller ?? { identityId: null, capabilities: [] };
  expect(outcome(validateCredentialTarget({ capabilities }, by))).toBe(expected);
});

test('parts of a way in are changed of others alone', () => {
  const admin = identity('ORG_ADMIN');
  const of = (identityId: string, ...capabilities: readonly Capability[]) =>
    outcome(validateOtherCredentialTarget({ identityId, capabilities }, admin));
  expect([of('i-1', 'ORG_ADMIN'), of('i-2', 'HELPDESK'), of('i-2', 'INTERNAL')]).toEqual([
    'Forbidden',
    'ok',
    'Forbidden',
  ]);
  const application = { identityId: null, capabilities: [] };
  expect(outcome(validateOtherCredentialTarget({ identityId: 'i-1', capabilities: [] }, application))).toBe('ok');
});

test.each<[string, readonly Capability[], readonly Capability[], readonly Capability[], boolean]>([
  ['without any', [], ['HELPDESK'], ['HELPDESK'], true],
  ['that its maker had and has', ['HELPDESK'], ['HELPDESK'], ['HELPDESK'], true],
  ['that its maker lacked', ['POLICY_ADMIN'], ['HELPDESK'], ['HELPDESK', 'POLICY_ADMIN'], false],
  ['that its maker has lost', ['POLICY_ADMIN'], ['HELPDESK', 'POLICY_ADMIN'], ['HELPDESK'], false],
  ['that its maker counts as having', ['POLICY_ADMIN'], ['ORG_ADMIN'], ['ORG_ADMIN'], true],
  ['that its maker counted as having', ['POLICY_ADMIN'], ['ORG_ADMIN'], ['HELPDESK'], false],
  ['that its maker counted as having, and has', ['POLICY_ADMIN'], ['ORG_ADMIN'], ['HELPDESK', 'POLICY_ADMIN'], true],
  ['INTERNAL, of an administrator', ['INTERNAL'], ['ORG_ADMIN'], ['ORG_ADMIN'], false],
  ['without any, of a maker that may make no links any more', [], ['HELPDESK'], ['POLICY_ADMIN'], false],
  ['without any, of a maker that is gone', [], ['ORG_ADMIN'], [], false],
])('a link for an identity %s', (_title, target, capabilities, presentCapabilities, expected) => {
  expect(isLinkPermitted(target, { capabilities, presentCapabilities })).toBe(expected);
});

test('a link is permitted where its maker could have made it then, and could make it now', () => {
  const some = fc.subarray([...CAPABILITIES]);
  const could = (maker: readonly Capability[], target: readonly Capability[]) =>
    (maker.includes('ORG_ADMIN') || maker.includes('HELPDESK')) &&
    target.every((each) => maker.includes(each) || (maker.includes('ORG_ADMIN') && each !== 'INTERNAL'));
  fc.assert(
    fc.property(fc.subarray([...CAPABILITIES], { maxLength: 3 }), some, some, (target, then, present) => {
      const permitted = isLinkPermitted(target, { capabilities: then, presentCapabilities: present });
      expect(permitted).toBe(could(then, target) && could(present, target));
    }),
    { numRuns: 2_000 },
  );
  expect(isLinkPermitted(CAPABILITIES, null)).toBe(true);
});

test.each<[string, readonly Capability[], readonly Capability[], readonly Capability[], boolean]>([
  ['has what its maker had and has', ['CERT_ADMIN'], ['HELPDESK', 'CERT_ADMIN'], ['CERT_ADMIN'], false],
  ['has what its maker lacked', ['ORG_ADMIN'], ['HELPDESK'], ['HELPDESK', 'ORG_ADMIN'], true],
  ['has what its maker has lost', ['CERT_ADMIN'], ['HELPDESK', 'CERT_ADMIN'], ['HELPDESK'], true],
  ['has what an administrator could give', ['CERT_ADMIN', 'HELPDESK'], ['ORG_ADMIN'], ['ORG_ADMIN'], false],
  ['has INTERNAL', ['INTERNAL'], ['ORG_ADMIN'], ['ORG_ADMIN'], true],
  ['has any, of a maker that is gone', ['CERT_ADMIN'], ['ORG_ADMIN'], [], true],
  ['has none, of a maker that is gone', [], ['ORG_ADMIN'], [], false],
])('an identity that %s exceeds its maker: %#', (_title, target, capabilities, presentCapabilities, expected) => {
  expect(exceedsMaker(target, { capabilities, presentCapabilities })).toBe(expected);
});
