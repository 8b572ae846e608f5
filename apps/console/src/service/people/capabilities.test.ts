import { expect, test } from 'vitest';
import { EFFECTIVE_CAPABILITIES, OTHER_CAPABILITIES, withCapability } from './capabilities.ts';

test('the capabilities that permit something here stand apart from the others', () => {
  expect(EFFECTIVE_CAPABILITIES).toEqual(['ORG_ADMIN', 'POLICY_ADMIN', 'HELPDESK', 'das:ui-auditor']);
  expect(OTHER_CAPABILITIES).toHaveLength(19);
  expect(OTHER_CAPABILITIES).toContain('INTERNAL');
});

test('a capability is given once, and taken', () => {
  expect(withCapability(['CERT_ADMIN'], 'ORG_ADMIN', true)).toEqual(['CERT_ADMIN', 'ORG_ADMIN']);
  expect(withCapability(['ORG_ADMIN', 'CERT_ADMIN'], 'ORG_ADMIN', true)).toEqual(['CERT_ADMIN', 'ORG_ADMIN']);
  expect(withCapability(['ORG_ADMIN', 'CERT_ADMIN'], 'ORG_ADMIN', false)).toEqual(['CERT_ADMIN']);
});
