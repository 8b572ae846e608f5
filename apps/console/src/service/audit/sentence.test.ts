import type { AuditEvent } from '@access-admin/client';
import { expect, test } from 'vitest';
import { nameIn, verbOf } from './sentence.ts';

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
  ['approve-sod-exception-v1', [change('state', 'REQUESTED', 'APPROVED')], 'approved'],
  ['start-sod-scan-v1', [], 'started'],
  ['an-operation-of-later', [], 'used'],
] as const)('%s with %o is told as %s', (operation, changes, verb) => {
  expect(verbOf(entry(operation, { changes: [...changes] }))).toBe(verb);
});

test('capabilities and locks are told by what changes', () => {
  const resource = { type: 'AUTH_USER', id: 'i-1' } as const;
  const capabilities = [change('capabilities', [], ['HELPDESK'])];
  expect(verbOf(entry('patch-auth-user-v1', { resource, changes: capabilities }))).toBe('capabilities');
  expect(verbOf(entry('import-access-model-v1', { resource, changes: capabilities }))).toBe('capabilities');
  const locked = [change('lockedUntil', null, '2026-11-21T09:45:00.000Z')];
  expect(verbOf(entry('sign-in', { resource, changes: locked }))).toBe('locked');
  expect(verbOf(entry('sign-in', { resource }))).toBe('signedIn');
});

test('the name of what is gone is that of the entry', () => {
  expect(nameIn(entry('delete-sod-policy-v1', { changes: [change('name', 'One', null)] }))).toBe('One');
  expect(nameIn(entry('patch-sod-policy-v1', { changes: [change('name', 'One', 'Two')] }))).toBe('Two');
  expect(nameIn(entry('patch-sod-policy-v1'))).toBeNull();
});
