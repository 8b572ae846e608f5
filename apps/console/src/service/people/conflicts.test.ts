import { createSessionClient } from '@access-admin/client';
import { expect, test } from 'vitest';
import { readConflicts } from './conflicts.ts';

const violation = (id: string, ...items: readonly string[]) => ({
  id,
  conflictingCriteria: items.map((item) => ({
    name: '',
    conflictingItems: [{ type: 'ENTITLEMENT', id: item, name: item }],
  })),
});

test('the entitlements of every present violation are found, on all pages', async () => {
  const api = createSessionClient({
    baseAddress: 'http://service.invalid',
    fetch: async (url) => {
      const { searchParams, pathname } = new URL(url);
      expect(searchParams.get('filters')).toBe('targetId eq "ada" and status in ("Open", "Mitigated")');
      if (searchParams.has('cursor')) return Response.json([violation('low', 'pay', 'read')]);
      const next = `<${pathname}?cursor=next>; rel="next"`;
      return Response.json([violation('critical', 'pay', 'approve')], { headers: { link: next } });
    },
  });
  await expect(readConflicts(api, 'ada', new AbortController().signal)).resolves.toEqual(
    new Map([
      ['pay', 'critical'],
      ['approve', 'critical'],
      ['read', 'low'],
    ]),
  );
});
