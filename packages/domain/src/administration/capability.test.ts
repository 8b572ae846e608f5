import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Caller } from './authorization.ts';
import {
  areSameCapabilities,
  CAPABILITIES,
  type Capability,
  type CapabilityChange,
  effectiveCapabilities,
  lackedCapability,
  validateCapabilityChange,
} from './capability.ts';

const caller = (identityId: string | null, ...capabilities: readonly Capability[]): Caller => ({
  tenant: 't',
  clientId: 'c',
  scopes: new Set(),
  identityId,
  capabilities,
});

const application = caller(null);
const admin = caller('admin', 'ORG_ADMIN', 'CERT_ADMIN');
const agent = caller('agent', 'HELPDESK', 'CERT_ADMIN');

function validate(before: readonly Capability[], after: readonly Capability[], change: Partial<CapabilityChange> = {}) {
  const failure = validateCapabilityChange({
    before,
    after,
    targetId: 'ada',
    caller: admin,
    channel: 'PATCH',
    at: 'capabilities',
    ...change,
  });
  return failure?.type ?? 'allowed';
}

describe('changes of capabilities by PATCH', () => {
  test.each<[string, Capability[], Capability[], Caller, string, string]>([
    ['an administrator grants what it has', [], ['CERT_ADMIN'], admin, 'ada', 'allowed'],
    ['an administrator grants what it lacks', [], ['REPORT_ADMIN', 'POLICY_ADMIN'], admin, 'ada', 'allowed'],
    ['another identity grants what it has', [], ['CERT_ADMIN'], agent, 'ada', 'allowed'],
    ['another identity grants what it lacks', [], ['REPORT_ADMIN'], agent, 'ada', 'Forbidden'],
    [
      'another identity grants one that it has, one that it lacks',
      [],
      ['CERT_ADMIN', 'ORG_ADMIN'],
      agent,
      'ada',
      'Forbidden',
    ],
    ['an identity takes away what it lacks', ['REPORT_ADMIN'], [], agent, 'ada', 'allowed'],
    ['an identity adds to itself', ['ORG_ADMIN'], ['ORG_ADMIN', 'REPORT_ADMIN'], admin, 'admin', 'Forbidden'],
    ['an identity adds a capability that it has already to itself', [], ['ORG_ADMIN'], admin, 'admin', 'Forbidden'],
    ['an identity takes from itself', ['ORG_ADMIN', 'CERT_ADMIN'], ['ORG_ADMIN'], admin, 'admin', 'allowed'],
    ['an identity reorders', ['HELPDESK', 'REPORT_ADMIN'], ['REPORT_ADMIN', 'HELPDESK'], admin, 'admin', 'allowed'],
    ['an identity changes nothing', ['INTERNAL', 'HELPDESK'], ['INTERNAL', 'HELPDESK'], admin, 'ada', 'allowed'],
    ['an identity without any changes nothing', ['HELPDESK'], ['HELPDESK'], caller('i'), 'ada', 'allowed'],
    ['an application grants', [], ['REPORT_ADMIN'], application, 'ada', 'allowed'],
    ['an application adds INTERNAL', [], ['INTERNAL'], application, 'ada', 'Forbidden'],
    ['an application removes INTERNAL', ['INTERNAL'], [], application, 'ada', 'Forbidden'],
    ['an application replaces all but INTERNAL', ['INTERNAL', 'HELPDESK'], ['INTERNAL'], application, 'ada', 'allowed'],
    ['an identity adds INTERNAL', [], ['INTERNAL'], caller('i', 'INTERNAL'), 'ada', 'Forbidden'],
    ['an identity removes INTERNAL', ['INTERNAL'], [], caller('i', 'INTERNAL'), 'ada', 'Forbidden'],
  ])('%s', (_title, before, after, by, targetId, outcome) => {
    expect(validate(before, after, { caller: by, targetId })).toBe(outcome);
  });
});

describe('changes of capabilities by import', () => {
  test.each<[string, Capability[], Capability[], Caller, string, string]>([
    ['an application adds INTERNAL', [], ['INTERNAL'], application, 'ada', 'allowed'],
    ['an application removes INTERNAL', ['INTERNAL'], [], application, 'ada', 'allowed'],
    ['an identity adds INTERNAL', [], ['INTERNAL'], caller('i', 'INTERNAL'), 'ada', 'Forbidden'],
    ['an identity removes INTERNAL', ['INTERNAL'], [], admin, 'ada', 'Forbidden'],
    ['an administrator grants what it lacks', [], ['REPORT_ADMIN'], admin, 'ada', 'allowed'],
    ['another identity grants what it lacks', [], ['REPORT_ADMIN'], agent, 'ada', 'Forbidden'],
    ['an administrator adds to itself', [], ['CERT_ADMIN'], admin, 'admin', 'Forbidden'],
    ['another identity grants what it has', [], ['CERT_ADMIN'], agent, 'ada', 'allowed'],
  ])('%s', (_title, before, after, by, targetId, outcome) => {
    expect(validate(before, after, { caller: by, targetId, channel: 'IMPORT' })).toBe(outcome);
  });
});

test('a refusal has the given path', () => {
  const change = { before: [], after: ['INTERNAL'], targetId: 'ada', caller: application, channel: 'PATCH' } as const;
  expect(validateCapabilityChange({ ...change, at: 'line 7' })?.causes[0]?.at).toBe('line 7');
});

const some = fc.subarray([...CAPABILITIES]);

test('what a caller counts as having is what it has, and with ORG_ADMIN everything but INTERNAL', () => {
  fc.assert(
    fc.property(some, some, fc.constantFrom(null, 'bob'), (target, own, identityId) => {
      const counts = (capability: Capability) =>
        own.includes(capability) || (own.includes('ORG_ADMIN') && capability !== 'INTERNAL');
      const lacked = identityId === null ? [] : target.filter((capability) => !counts(capability));
      expect(lackedCapability(target, { identityId, capabilities: own })).toBe(lacked[0] ?? null);
      expect(new Set(effectiveCapabilities(own))).toEqual(new Set(CAPABILITIES.filter(counts)));
    }),
    { numRuns: 1_000 },
  );
});

test('the result is that of each single capability', () => {
  const channels = fc.constantFrom('PATCH', 'IMPORT');
  const identityIds = fc.constantFrom(null, 'ada', 'bob');
  fc.assert(
    fc.property(some, some, some, identityIds, channels, (before, after, own, identityId, channel) => {
      const allowed = CAPABILITIES.every((capability) => {
        if (before.includes(capability) === after.includes(capability)) return true;
        if (capability === 'INTERNAL') return channel === 'IMPORT' && identityId === null;
        if (identityId === null || before.includes(capability)) return true;
        return identityId !== 'ada' && (own.includes(capability) || own.includes('ORG_ADMIN'));
      });
      const by = caller(identityId, ...(identityId === null ? [] : own));
      expect(validate(before, after, { caller: by, channel })).toBe(allowed ? 'allowed' : 'Forbidden');
    }),
    { numRuns: 2_000 },
  );
});

test('lists of capabilities are the same in any order', () => {
  expect(areSameCapabilities([], [])).toBe(true);
  expect(areSameCapabilities(['HELPDESK', 'ORG_ADMIN'], ['ORG_ADMIN', 'HELPDESK'])).toBe(true);
  expect(areSameCapabilities(['HELPDESK', 'ORG_ADMIN'], ['ORG_ADMIN', 'POLICY_ADMIN'])).toBe(false);
  expect(areSameCapabilities(['HELPDESK'], ['HELPDESK', 'ORG_ADMIN'])).toBe(false);
  expect(areSameCapabilities(['HELPDESK', 'ORG_ADMIN'], ['HELPDESK'])).toBe(false);
});
