import type { Capability } from '@access-admin/client';
import { OPERATIONS, type OperationId } from '@access-admin/contract';
import { expect, test } from 'vitest';
import { PAGE_GROUPS } from '../search/pages.ts';
import { missingForPage, missingRight, NEEDED, type Right } from './rights.ts';

/** The operations behind each right. To be shown a page with several parts, one of its operations is enough. */
const BEHIND: Readonly<Record<Right, readonly OperationId[]>> = {
  exceptions: ['list-sod-exceptions-v1', 'search-access-resources-v1', 'search-access-subjects-v1'],
  'what-if': ['start-predict-sod-violations-v1', 'list-sod-reservations-v1', 'create-sod-reservation-v1'],
  policies: ['list-sod-policies-v1'],
  matrix: ['list-sod-policies-v1'],
  controls: ['list-controls-v1'],
  people: [
    'list-identities-v1',
    'get-role-v1',
    'get-access-profile-v1',
    'get-entitlement-v1',
    'list-role-holders-v1',
    'list-access-profile-holders-v1',
    'list-entitlement-holders-v1',
  ],
  access: ['list-roles-v1', 'list-access-profiles-v1', 'list-entitlements-v1'],
  // One right permits reading and changing sources, linking their accounts, and loading.
  sources: [
    'list-sources-v1',
    'create-source-v1',
    'patch-source-v1',
    'list-accounts-v1',
    'put-account-identity-v1',
    'list-source-loads-v1',
    'create-source-load-v1',
    'put-source-load-part-v1',
    'commit-source-load-v1',
    'cancel-source-load-v1',
  ],
  reports: ['list-sod-reports-v1', 'list-sod-fix-steps-v1', 'list-sod-unsolvable-violations-v1'],
  'audit-log': ['list-audit-events-v1'],
  settings: ['get-profile-config-list-v1', 'decide-sign-in-v1'],
  events: ['list-events-v1'],
  register: ['list-violations-v1', 'get-violations-summary-v1'],
  reassign: ['reassign-violation-v1'],
  decide: ['create-sod-exception-v1', 'approve-sod-exception-v1', 'revoke-sod-exception-v1', 'apply-control-v1'],
  change: ['create-sod-policy-v1', 'patch-sod-policy-v1', 'delete-sod-policy-v1', 'create-control-v1'],
  ask: [
    'start-sod-scan-v1',
    'start-sod-dry-run-v1',
    'start-sod-blast-radius-v1',
    'start-sod-fix-plan-v1',
    'hand-over-sod-fix-step-v1',
    'list-violation-checks-v1',
  ],
  create: ['import-access-model-v1'],
  authUser: ['get-auth-user-v1'],
  capabilities: ['patch-auth-user-v1'],
  credentials: ['get-credentials-v1', 'create-sign-in-link-v1', 'unlock-auth-user-v1'],
  sessions: ['list-sessions-v1'],
  'auth-profiles': ['get-profile-config-list-v1', 'decide-sign-in-v1'],
  profiles: ['get-profile-config-list-v1', 'get-profile-config-v1'],
  simulator: ['decide-sign-in-v1'],
  'sign-in': ['get-auth-org-network-config-v1', 'get-auth-org-lockout-config-v1', 'get-auth-org-session-config-v1'],
  'login-page': ['get-tenant-ui-metadata-v1', 'get-tenant-branding-v1'],
  clients: ['list-oauth-clients-v1'],
  webhooks: ['list-webhooks-v1'],
  configure: ['patch-profile-config-v1', 'set-auth-org-network-config-v1', 'patch-auth-org-lockout-config-v1'],
};

const neededBy = (id: OperationId) => OPERATIONS.find((each) => each.id === id)?.rights.capabilities ?? [];

test.each(Object.entries(BEHIND))('what pages say of the right %s is what the contract has', (right, ids) => {
  const needed = new Set(ids.flatMap((id) => [...neededBy(id)]));
  expect(NEEDED[right as Right].toSorted()).toEqual([...needed].toSorted());
});

const PAGES = PAGE_GROUPS.flatMap(({ pages }) => pages.map(({ name }) => name));

/** The pages that show nothing to a session with these capabilities. */
const hiddenFrom = (...capabilities: readonly Capability[]) =>
  PAGES.filter((page) => missingForPage(page, { capabilities }) !== null);

test('a page is hidden from those to whom it can show nothing', () => {
  expect(hiddenFrom('ORG_ADMIN')).toEqual([]);
  expect(hiddenFrom('POLICY_ADMIN')).toEqual(['sources', 'audit-log', 'settings']);
  expect(hiddenFrom('das:ui-auditor')).toEqual(['what-if', 'sources']);
  expect(PAGES.filter((page) => !hiddenFrom('HELPDESK').includes(page))).toEqual([
    'overview',
    'violations',
    'people',
    'access',
    'settings',
  ]);
  expect(PAGES.filter((page) => !hiddenFrom().includes(page))).toEqual(['overview', 'violations']);
});

test('what is missing is named', () => {
  expect(missingForPage('audit-log', { capabilities: ['POLICY_ADMIN'] })).toEqual(['ORG_ADMIN', 'das:ui-auditor']);
  expect(missingRight('profiles', { capabilities: ['HELPDESK'] })).toEqual(['ORG_ADMIN', 'das:ui-auditor']);
  expect(missingRight('sign-in', { capabilities: ['HELPDESK'] })).toBeNull();
});
