import type { Capability } from '@access-admin/client';
import { expect, test } from 'vitest';
import { PAGE_GROUPS } from '../search/pages.ts';
import { missingForPage } from './page-rights.ts';

const PAGES = PAGE_GROUPS.flatMap(({ pages }) => pages.map(({ name }) => name));

/** The pages that show nothing to a session with these capabilities. */
const hiddenFrom = (...capabilities: readonly Capability[]) =>
  PAGES.filter((page) => missingForPage(page, { capabilities }) !== null);

test('a page is hidden from those to whom it can show nothing', () => {
  expect(hiddenFrom('ORG_ADMIN')).toEqual([]);
  expect(hiddenFrom('POLICY_ADMIN')).toEqual(['audit-log', 'settings']);
  expect(hiddenFrom('das:ui-auditor')).toEqual(['what-if']);
  expect(PAGES.filter((page) => !hiddenFrom('HELPDESK').includes(page))).toEqual([
    'overview',
    'violations',
    'people',
    'settings',
  ]);
  expect(PAGES.filter((page) => !hiddenFrom().includes(page))).toEqual(['overview', 'violations']);
});

test('what is missing is named', () => {
  expect(missingForPage('audit-log', { capabilities: ['POLICY_ADMIN'] })).toEqual(['ORG_ADMIN', 'das:ui-auditor']);
});
