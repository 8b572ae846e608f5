import type { AuditEvent } from '@access-admin/client';
import { expect, test } from 'vitest';
import { nameIn, personIn, verbOf } from './sentence.ts';

const entry = (operation: string, given: Partial<AuditEvent> = {}): AuditEvent => ({
  sequence: 1,
  time: '2026-11-21T09:30:00.000Z',
  tenant: 'acme',
  actor: { clientId: 'c', identityId: null },
  operation,
  resource: { type: 'SOD_POLICY', id: 'p-1' },
  outcome: 'ALLOWED',
  trackingId: '0',
  changes: [],
  previousHash: null,
  hash: '0',
  ...given,
});
const change = (field: string, before: unknown, after: unknown) => ({ field, before, after });

test.each([
  ['patch-sod-policy-v1', [change('state', 'ENFORCED', 'NOT_ENFORCED')], 'changed'],
  ['put-sod-policy-v1', [change('name', null, 'One')], 'created'],
  ['create-sod-policy-v1', [change('name', null, 'One')], 'created'],
  ['delete-sod-policy-v1', [change('name', 'One', null)], 'deleted'],
  ['import-access-model-v1', [change('name', null, 'One')], 'created'],
  ['import-access-model-v1', [change('name', 'One', null)], 'deleted'],
  ['import-access-model-v1', [change('level', 'LOW', 'HIGH')], 'changed'],
  ['delete-identity-v1', [change('ownerId', 'i-1', null)], 'changed'],
  ['start-sod-scan-v1', [], 'started'],
  ['start-predict-sod-violations-v1', [], 'predicted'],
  ['search-access-subjects-v1', [], 'read'],
  ['an-operation-of-later', [], 'used'],
] as const)('%s with %o is told as %s', (operation, changes, verb) => {
  expect(verbOf(entry(operation, { changes: [...changes] }))).toBe(verb);
});

test.each([
  ['create-sod-exception-v1', change('state', null, 'REQUESTED'), 'requested'],
  ['approve-sod-exception-v1', change('state', 'REQUESTED', 'APPROVED'), 'approved'],
  ['revoke-sod-exception-v1', change('state', 'REQUESTED', 'REVOKED'), 'refused'],
  ['revoke-sod-exception-v1', change('state', 'APPROVED', 'REVOKED'), 'revoked'],
] as const)('%s with %o of an exception is told as %s', (operation, changed, verb) => {
  expect(verbOf(entry(operation, { resource: { type: 'SOD_EXCEPTION', id: 'e-1' }, changes: [changed] }))).toBe(verb);
});

test('sessions are ended by changes, and refusals to read them are no ends', () => {
  const resource = { type: 'SESSION', id: 's-1' } as const;
  const changes = [change('identityId', 'i-1', null)];
  expect(verbOf(entry('set-password', { resource, changes }))).toBe('ended');
  expect(verbOf(entry('end-session-v1', { resource, outcome: 'DENIED' }))).toBe('ended');
  expect(verbOf(entry('list-sessions-v1', { resource, outcome: 'DENIED' }))).toBe('read');
});

test('an entry is about the person that it names, or whose session it is', () => {
  expect(personIn(entry('set-password', { resource: { type: 'AUTH_USER', id: 'i-1' } }))).toBe('i-1');
  const resource = { type: 'SESSION', id: 's-1' } as const;
  expect(personIn(entry('sign-in', { resource, changes: [change('identityId', null, 'i-2')] }))).toBe('i-2');
  expect(personIn(entry('end-session', { resource, changes: [change('identityId', 'i-2', null)] }))).toBe('i-2');
  expect(personIn(entry('end-session-v1', { resource, outcome: 'DENIED' }))).toBeNull();
  expect(personIn(entry('patch-sod-policy-v1'))).toBeNull();
});

test('capabilities and locks are told by what changes', () => {
  const resource = { type: 'AUTH_USER', id: 'i-1' } as const;
  const capabilities = [change('capabilities', [], ['HELPDESK'])];
  expect(verbOf(entry('patch-auth-user-v1', { resource, changes: capabilities }))).toBe('capabilities');
  expect(verbOf(entry('import-access-model-v1', { resource, changes: capabilities }))).toBe('capabilities');
  const locked = [change('lockedUntil', null, '2026-11-21T09:45:00.000Z')];
  expect(verbOf(entry('sign-in', { resource, changes: locked }))).toBe('locked');
  expect(verbOf(entry('sign-in', { resource }))).toBe('signedIn');
  const ofNobody = { type: 'AUTH_USER', id: null } as const;
  expect(verbOf(entry('sign-in', { resource: ofNobody, changes: locked }))).toBe('addressLocked');
  expect(verbOf(entry('sign-in', { resource: ofNobody, outcome: 'DENIED' }))).toBe('attempted');
});

test('the name of what is gone is that of the entry', () => {
  expect(nameIn(entry('delete-sod-policy-v1', { changes: [change('name', 'One', null)] }))).toBe('One');
  expect(nameIn(entry('patch-sod-policy-v1', { changes: [change('name', 'One', 'Two')] }))).toBe('Two');
  expect(nameIn(entry('patch-sod-policy-v1'))).toBeNull();
});
