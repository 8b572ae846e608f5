import { expect, test } from 'vitest';
import { rowToViolation } from './codec.ts';

const CREATED = '2026-03-01T12:00:00.000Z';
const AS_OF = '2026-04-01T12:00:00.000Z';
const END = '2026-05-01T00:00:00.000Z';
const OWNER = { type: 'IDENTITY', id: 'i-2', name: 'Grace' } as const;
const CRITERIA = [{ name: 'left', conflictingItems: [{ type: 'ENTITLEMENT', id: 'e-1', name: 'Pay' }] }];
const ROW = {
  tenant: 'acme',
  id: 'v-1',
  identity_id: 'i-1',
  policy_id: 'p-1',
  status: 'Mitigated',
  level_rank: 4,
  created: CREATED,
  modified: CREATED,
  closed: null,
  owner_id: 'i-2',
  exception_id: 'x-1',
  expiration: END,
  policy_name: 'Pay and approve',
  target_name: 'Ada',
  criteria: JSON.stringify(CRITERIA),
  ended_owner_name: null,
  former_owner_id: null,
};

test('a row is shown with its properties in order', () => {
  const shown = rowToViolation(ROW, { asOf: AS_OF, owner: OWNER, appliedControls: [] });
  expect(JSON.stringify(shown)).toBe(
    JSON.stringify({
      id: 'v-1',
      name: 'Pay and approve: Ada',
      status: 'Mitigated',
      level: 'Critical',
      created: CREATED,
      modified: CREATED,
      closed: null,
      lastEvaluatedDate: AS_OF,
      target: { type: 'IDENTITY', id: 'i-1', name: 'Ada' },
      policy: { type: 'SOD_POLICY', id: 'p-1', name: 'Pay and approve' },
      owner: OWNER,
      conflictingCriteria: CRITERIA,
      exception: { id: 'x-1', end: END },
      appliedControls: [],
      expiration: END,
    }),
  );
});

test('an ended violation was evaluated for the last time when it ended', () => {
  const ended = { ...ROW, status: 'Closed', closed: CREATED, exception_id: null, expiration: null, owner_id: null };
  expect(rowToViolation(ended, { asOf: AS_OF, owner: null, appliedControls: [] })).toMatchObject({
    status: 'Closed',
    closed: CREATED,
    lastEvaluatedDate: CREATED,
    exception: null,
  });
});
