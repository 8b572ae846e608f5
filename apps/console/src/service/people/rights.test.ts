import type { Capability } from '@access-admin/client';
import { expect, test } from 'vitest';
import { missingFor, refusalOf, strongerThan } from './rights.ts';

const holder = (...capabilities: readonly Capability[]) => ({ identityId: 'ada', capabilities });

test('a missing right is told by the capabilities that give it', () => {
  expect(missingFor('register', holder('HELPDESK'), 'bob')).toEqual(['ORG_ADMIN', 'POLICY_ADMIN', 'das:ui-auditor']);
  expect(missingFor('register', holder('HELPDESK', 'POLICY_ADMIN'), 'bob')).toBeNull();
});

test('everybody sees their own sessions, and nobody changes their own capabilities by that', () => {
  expect(missingFor('sessions', holder(), 'ada')).toBeNull();
  expect(missingFor('sessions', holder(), 'bob')).toEqual(['ORG_ADMIN']);
  expect(missingFor('capabilities', holder(), 'ada')).toEqual(['ORG_ADMIN']);
});

test('an administrator gives every capability but the reserved one, and to others alone', () => {
  const admin = holder('ORG_ADMIN');
  expect(refusalOf('ORG_ADMIN', admin, { personId: 'bob', isHeld: false })).toBeNull();
  expect(refusalOf('HELPDESK', admin, { personId: 'bob', isHeld: false })).toBeNull();
  expect(refusalOf('HELPDESK', admin, { personId: 'bob', isHeld: true })).toBeNull();
  expect(refusalOf('HELPDESK', admin, { personId: 'ada', isHeld: false })).toBe('own');
  expect(refusalOf('INTERNAL', admin, { personId: 'bob', isHeld: true })).toBe('reserved');
});

test('the way in of a person with more rights cannot be changed', () => {
  expect(strongerThan(['HELPDESK', 'ORG_ADMIN'], holder('HELPDESK'))).toBe('ORG_ADMIN');
  expect(strongerThan(['HELPDESK'], holder('HELPDESK'))).toBeNull();
  expect(strongerThan(['HELPDESK', 'POLICY_ADMIN'], holder('ORG_ADMIN'))).toBeNull();
  expect(strongerThan(['HELPDESK', 'INTERNAL'], holder('ORG_ADMIN'))).toBe('INTERNAL');
});
