import { changesBetween, type NewAuditEvent, sealAuditEvent } from '@access-admin/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packChanges, unpackChanges, unpackCount } from './changes-codec.ts';

const EVENT: Omit<NewAuditEvent, 'changes'> = {
  tenant: 'acme',
  actor: { clientId: 'c-1', identityId: null },
  operation: 'test',
  resource: { type: 'ROLE', id: 'r-1' },
  time: '2026-11-21T09:30:00.000Z',
  trackingId: '0'.repeat(32),
  outcome: 'ALLOWED',
};
const START = { sequence: 0, hash: null };

const pack = (changes: NewAuditEvent['changes'], resource = EVENT.resource) =>
  packChanges(sealAuditEvent({ ...EVENT, resource, changes }, START, () => ''));

const resource = fc.option(
  fc.record({ id: fc.string(), name: fc.jsonValue(), list: fc.array(fc.jsonValue(), { maxLength: 3 }) }),
);

test('changes are the same after they were stored', () => {
  fc.assert(
    fc.property(resource, resource, (before, after) => {
      const changes = JSON.parse(JSON.stringify(changesBetween(before, after)));
      expect(unpackChanges(pack(changes))).toEqual(changes);
    }),
  );
});

test('changes of identities are the same, whatever their ids and values are', () => {
  const changes = ['10', '9', 'constructor', 'i-1'].map((field) => ({
    field,
    before: null,
    after: { uid: field },
    added: [{ type: 'ROLE', id: 'r-1' }] as const,
  }));
  const identities = { type: 'IDENTITY', id: null } as const;
  expect(unpackChanges(pack(changes, identities))).toEqual(changes);
  expect(unpackChanges(pack([], identities))).toEqual([]);
});

test.each([null, 'x'])('changes of one identity are the same, whose access is told of by refs: before %j', (before) => {
  const access = {
    field: 'access',
    before: null,
    after: null,
    added: [{ type: 'ROLE', id: 'r-1' }],
    removed: [],
  } as const;
  const changes = [{ field: 'uid', before, after: before === null ? 'x' : null }, access];
  expect(unpackChanges(pack(changes, { type: 'IDENTITY', id: 'i-1' }))).toEqual(changes);
  expect(unpackChanges(pack([access], { type: 'IDENTITY', id: 'i-1' }))).toEqual([access]);
});

test('a created resource takes less room than its changes', () => {
  const changes = changesBetween(null, { id: 'r-1', name: 'Role', entitlements: ['e-1'] });
  expect(pack(changes)).toBe('{"created":{"id":"r-1","name":"Role","entitlements":["e-1"]}}');
});

test('a count takes the place of the changes, which counted requests do not have', () => {
  const denied: NewAuditEvent = { ...EVENT, outcome: 'DENIED', changes: [], count: 3 };
  const text = packChanges(sealAuditEvent(denied, START, () => ''));
  expect([unpackChanges(text), unpackCount(text)]).toEqual([[], { count: 3 }]);
  expect(unpackCount(pack(changesBetween(null, { count: 3 })))).toEqual({});
  expect(unpackCount(pack([]))).toEqual({});
});
