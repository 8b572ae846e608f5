import { createSessionClient } from '@access-admin/client';
import { expect, test } from 'vitest';
import { explainViolation } from './explain.ts';

const named = <T extends string>(type: T, id: string) => ({ type, id, name: `The ${id}` });
const profile = named('ACCESS_PROFILE', 'profile');
const role = named('ROLE', 'role');

const NOW_MS = Date.parse('2026-11-23T00:00:00Z');

/** A service with these records. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/identities/v1/ada': {
    assignments: [
      role,
      { ...profile, start: '2026-11-01T00:00:00.000Z', end: null },
      named('ENTITLEMENT', 'pay'),
      { ...named('ENTITLEMENT', 'approve'), start: null, end: '2026-11-01T00:00:00.000Z' },
      { ...named('ENTITLEMENT', 'approve'), start: '2027-01-01T00:00:00.000Z', end: null },
    ],
  },
  '/roles/v1/role': { entitlements: [named('ENTITLEMENT', 'approve')], accessProfiles: [profile] },
  '/access-profiles/v1/profile': { entitlements: [named('ENTITLEMENT', 'pay'), named('ENTITLEMENT', 'read')] },
  '/sod-policies/v1/policy': {
    description: 'One person could pay itself.',
    correctionAdvice: 'Keep one of both.',
    compensatingControls: null,
    conflictingAccessCriteria: { leftCriteria: {}, rightCriteria: {} },
  },
};

test('every way that is open at the time is found, in the order of the assignments', async () => {
  const api = createSessionClient({
    baseAddress: 'http://service.invalid',
    fetch: async (url) => Response.json(ANSWERS[new URL(url).pathname]),
  });
  const violation = {
    target: named('IDENTITY', 'ada'),
    policy: named('SOD_POLICY', 'policy'),
    conflictingCriteria: [
      { name: 'left', conflictingItems: [named('ENTITLEMENT', 'pay')] },
      { name: 'right', conflictingItems: [named('ENTITLEMENT', 'approve')] },
    ],
  };
  const at = { nowMs: NOW_MS, mayReadAccounts: true, signal: new AbortController().signal };
  await expect(explainViolation(api, violation, at)).resolves.toEqual({
    risk: 'One person could pay itself.',
    advice: 'Keep one of both.',
    controls: null,
    atLeast: 2,
    sides: [
      { name: 'left', items: [{ id: 'pay', name: 'The pay', ways: [[role, profile], [profile], []] }] },
      { name: 'right', items: [{ id: 'approve', name: 'The approve', ways: [[role]] }] },
    ],
  });
});

const ACCOUNTS = [
  { ...named('ENTITLEMENT', 'pay'), start: null, end: null, source: 'erp', accountKey: 'k-1' },
  { ...role, start: null, end: null, source: 'ad', accountKey: 'k-2' },
];

test.each([
  [true, 'ADA', 'ada@ad'],
  [false, 'erp', 'ad'],
])('a way by an account begins with it, by its name where that may be read: %j', async (mayReadAccounts, erp, ad) => {
  const asked: string[] = [];
  const api = createSessionClient({
    baseAddress: 'http://service.invalid',
    fetch: async (url) => {
      const { pathname, searchParams } = new URL(url);
      asked.push(`${pathname} ${searchParams.get('filters') ?? ''}`);
      if (pathname === '/identities/v1/ada') return Response.json({ assignments: ACCOUNTS });
      if (pathname === '/accounts/v1')
        return Response.json([
          { key: 'k-1', name: 'ADA' },
          { key: 'k-2', name: 'ada@ad' },
        ]);
      return Response.json(ANSWERS[pathname]);
    },
  });
  const violation = {
    target: named('IDENTITY', 'ada'),
    policy: named('SOD_POLICY', 'policy'),
    conflictingCriteria: [
      { name: 'left', conflictingItems: [named('ENTITLEMENT', 'pay')] },
      { name: 'right', conflictingItems: [named('ENTITLEMENT', 'approve')] },
    ],
  };
  const at = { nowMs: NOW_MS, mayReadAccounts, signal: new AbortController().signal };
  const { sides } = await explainViolation(api, violation, at);
  const first = { type: 'ACCOUNT', id: 'k-1', name: erp, source: 'erp' };
  const second = { type: 'ACCOUNT', id: 'k-2', name: ad, source: 'ad' };
  expect(sides.map(({ items }) => items[0]?.ways)).toEqual([[[first], [second, role, profile]], [[second, role]]]);
  expect(asked.filter((each) => each.startsWith('/accounts'))).toEqual(
    mayReadAccounts ? ['/accounts/v1 identityId eq "ada"'] : [],
  );
});
