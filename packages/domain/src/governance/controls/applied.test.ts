import { expect, test } from 'vitest';
import { appliedControlStatus, showAppliedControl } from './applied.ts';

const NOW = '2026-05-01T00:00:00.000Z';
const BEFORE = '2026-04-01T00:00:00.000Z';
const LATER = '2026-06-01T00:00:00.000Z';
const REQUESTED = { end: LATER, approved: null, revoked: null, voided: null };
const APPROVED = { ...REQUESTED, approved: BEFORE };

test.each([
  ['Pending', 'while it is requested', REQUESTED],
  ['Active', 'once it is approved', APPROVED],
  ['Completed', 'at the end of an approved one', { ...APPROVED, end: NOW }],
  ['Canceled', 'at the end of a request', { ...REQUESTED, end: NOW }],
  ['Canceled', 'when a request is revoked', { ...REQUESTED, revoked: BEFORE }],
  ['Canceled', 'when an approved one is revoked', { ...APPROVED, revoked: BEFORE }],
  ['Canceled', 'when an approved one is revoked, also after its end', { ...APPROVED, revoked: BEFORE, end: NOW }],
  ['Canceled', 'when it is void', { ...APPROVED, voided: BEFORE }],
  ['Completed', 'when an approved one was voided after its end', { ...APPROVED, end: BEFORE, voided: NOW }],
  ['Canceled', 'when it is gone', null],
] as const)('an applied control is %s %s', (status, _, exception) => {
  expect(appliedControlStatus(exception, NOW)).toBe(status);
});

test('an applied control ends with its exception', () => {
  const applied = {
    id: 'a-1',
    appliedDate: BEFORE,
    comments: null,
    exceptionId: 'x-1',
    violationRef: { type: 'VIOLATION', id: 'v-1', name: 'Pay: Ada' },
    control: { type: 'CONTROL', id: 'c-1', name: 'Second signature' },
    applier: { type: 'IDENTITY', id: 'i-1', name: 'Grace' },
  } as const;
  expect(showAppliedControl(applied, APPROVED, NOW)).toEqual({
    ...applied,
    violation: 'v-1',
    expiration: LATER,
    status: 'Active',
  });
  expect(showAppliedControl(applied, null, NOW)).toMatchObject({ expiration: null, status: 'Canceled' });
});
