import { expect, test } from 'vitest';
import { partsOf, planLimitsOf } from './question.ts';

test('a dry-run is about the policies that it adds, changes and removes', () => {
  const question = { add: [{ name: 'New' }], change: [{ id: 'p-1', name: 'Changed' }], remove: ['p-2'] };
  expect(partsOf({ kind: 'DRY_RUN', question })).toEqual([
    { part: 'added', subjects: [{ type: 'SOD_POLICY', id: null, name: 'New' }] },
    { part: 'changed', subjects: [{ type: 'SOD_POLICY', id: 'p-1', name: 'Changed' }] },
    { part: 'removed', subjects: [{ type: 'SOD_POLICY', id: 'p-2', name: null }] },
  ]);
  expect(partsOf({ kind: 'DRY_RUN', question: {} })).toEqual([]);
});

test('a blast radius is about what gains access, and about that access', () => {
  const question = { kind: 'accessProfile', id: 'ap-1', add: [{ type: 'ENTITLEMENT', id: 'e-1', name: 'Pay' }] };
  expect(partsOf({ kind: 'BLAST_RADIUS', question })).toEqual([
    { part: 'of', subjects: [{ type: 'ACCESS_PROFILE', id: 'ap-1', name: null }] },
    { part: 'gains', subjects: [{ type: 'ENTITLEMENT', id: 'e-1', name: 'Pay' }] },
  ]);
});

test('a scan is about everything, and a question that is not kept about nothing', () => {
  expect(partsOf({ kind: 'SCAN', question: { at: '2026-11-21T09:30:00Z' } })).toEqual([]);
  expect(partsOf({ kind: 'DRY_RUN', question: null })).toEqual([]);
});

test('a fix plan is about policies and people, and protects access', () => {
  const question = {
    levels: ['HIGH', 'CRITICAL', 'none'],
    policyIds: ['p-1'],
    identityIds: ['i-1'],
    keepHolders: 2,
    protect: [{ type: 'ROLE', id: 'r-1' }],
  };
  expect(partsOf({ kind: 'FIX_PLAN', question })).toEqual([
    { part: 'policies', subjects: [{ type: 'SOD_POLICY', id: 'p-1', name: null }] },
    { part: 'people', subjects: [{ type: 'IDENTITY', id: 'i-1', name: null }] },
    { part: 'protects', subjects: [{ type: 'ROLE', id: 'r-1', name: null }] },
  ]);
  expect(planLimitsOf(question)).toEqual({ levels: ['CRITICAL', 'HIGH'], keeps: 2 });
  expect([partsOf({ kind: 'FIX_PLAN', question: {} }), planLimitsOf({})]).toEqual([[], { levels: [], keeps: 1 }]);
});
