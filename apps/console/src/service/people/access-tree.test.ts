import { createSessionClient, type ShownAssignment } from '@access-admin/client';
import { expect, test } from 'vitest';
import { entitlementsOf, readAccessTree, sizeOf } from './access-tree.ts';

const named = <T extends string>(type: T, id: string) => ({ type, id, name: `The ${id}` });
const assigned = (type: ShownAssignment['type'], id: string): ShownAssignment => ({
  ...named(type, id),
  start: null,
  end: '2027-01-01T00:00:00.000Z',
});

const RECORDS: Readonly<Record<string, readonly object[]>> = {
  '/roles/v1': [
    {
      ...named('ROLE', 'payments'),
      entitlements: [named('ENTITLEMENT', 'read')],
      accessProfiles: [named('ACCESS_PROFILE', 'payer')],
    },
  ],
  '/access-profiles/v1': [{ ...named('ACCESS_PROFILE', 'payer'), entitlements: [named('ENTITLEMENT', 'pay')] }],
};

test('what a person holds is a tree, in which what is assigned directly is marked', async () => {
  const asked: string[] = [];
  const api = createSessionClient({
    baseAddress: 'http://service.invalid',
    fetch: async (url) => {
      const { pathname, searchParams } = new URL(url);
      asked.push(`${pathname} ${searchParams.get('filters')}`);
      return Response.json(RECORDS[pathname]);
    },
  });
  const held = [
    { ...assigned('ENTITLEMENT', 'pay'), source: 'erp', accountKey: 'k' },
    assigned('ROLE', 'gone'),
    assigned('ROLE', 'payments'),
  ];
  const [gone, payments, pay] = await readAccessTree(api, held, new AbortController().signal);
  expect(asked).toEqual(['/roles/v1 id in ("gone", "payments")', '/access-profiles/v1 id in ("payer")']);
  expect(gone).toMatchObject({ name: 'The gone', children: [] });
  expect(pay).toMatchObject({
    name: 'The pay',
    isAssigned: true,
    start: null,
    end: '2027-01-01T00:00:00.000Z',
    source: 'erp',
    accountKey: 'k',
  });
  expect(gone).toMatchObject({ source: null, accountKey: null });
  expect(payments).toMatchObject({
    name: 'The payments',
    isAssigned: true,
    children: [
      { name: 'The payer', isAssigned: false, children: [{ name: 'The pay', isAssigned: true }] },
      { name: 'The read', isAssigned: false },
    ],
  });
  if (payments === undefined) throw new Error('the tree lacks a role');
  expect(entitlementsOf(payments)).toEqual(['pay', 'read']);
  expect(sizeOf(payments)).toBe(4);
});
