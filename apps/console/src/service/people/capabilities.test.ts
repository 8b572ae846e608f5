import { EFFECTIVE_CAPABILITIES as CONTRACTED } from '@access-admin/contract';
import { expect, test } from 'vitest';
import { changedBy, heldOf, OTHER_CAPABILITIES } from './capabilities.ts';
import { EFFECTIVE_CAPABILITIES } from './effective-capabilities.ts';

test('the capabilities that permit something here stand apart from the others', () => {
  expect(EFFECTIVE_CAPABILITIES.toSorted()).toEqual([...CONTRACTED].toSorted());
  expect(OTHER_CAPABILITIES).toHaveLength(19);
  expect(OTHER_CAPABILITIES).toContain('INTERNAL');
});

test('capabilities are given and taken one by one, and the others keep their order', () => {
  expect(changedBy(['ROLE_ADMIN', 'CERT_ADMIN'], { ORG_ADMIN: true, CERT_ADMIN: true })).toEqual([
    'ROLE_ADMIN',
    'CERT_ADMIN',
    'ORG_ADMIN',
  ]);
  expect(changedBy(['ROLE_ADMIN', 'CERT_ADMIN'], { ROLE_ADMIN: false, HELPDESK: false })).toEqual(['CERT_ADMIN']);
  expect(heldOf(['HELPDESK'])).toMatchObject({ HELPDESK: true, ORG_ADMIN: false, INTERNAL: false });
});
