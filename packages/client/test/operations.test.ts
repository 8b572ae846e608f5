import { ANSWERS, OPERATIONS, type Operation, type OperationId, validate } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import type { AccessAdminClient } from '../src/index.ts';
import { openStage } from './fixtures.ts';
import { empty, json, type Reaction, text } from './scripted-server.ts';

interface Sample {
  readonly call: (admin: AccessAdminClient) => unknown;
  /** The path parameter, as encoded in the address and as passed by the caller. */
  readonly id?: string;
  readonly query?: string;
  /** The request body; undefined without one. */
  readonly sent?: unknown;
  /** What the call resolves with, where that is not the answer. */
  readonly resolved?: (answer: { readonly results: unknown }) => unknown;
}

const access = { identityId: 'i-1', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-1' }] } as const;
const newClient = { name: 'CI', scopes: ['auth-users:read'], identityId: 'i-1', tenant: 'other' } as const;
const replaceType = [{ op: 'replace', path: '/type', value: 'MFA' }] as const;
const none = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
const imported = {
  counts: {
    entitlement: none,
    accessProfile: none,
    role: none,
    identityProfile: none,
    source: none,
    identity: none,
    account: none,
    sodPolicy: none,
    control: none,
    uiMetadata: none,
    branding: none,
    lockoutConfig: none,
    sessionConfig: none,
    networkConfig: none,
  },
  policySetVersion: 7,
  warnings: [],
};
const prediction = { violationContexts: [], policySetVersion: 7, asOf: '2026-11-21T09:30:00.000Z' };
const entitlement = { kind: 'entitlement', id: 'e-1', name: 'Pay' } as const;
const odd = { given: 'a/b?c', sent: 'a%2Fb%3Fc' };

const collect = async (items: AsyncIterable<unknown>) => {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
};

const question = {
  subject: { type: 'user', id: 'alice' },
  action: { name: 'read' },
  resource: { type: 'record', id: 'record-1' },
};

const newReservation = {
  identityId: 'i-1',
  accessRefs: [{ type: 'ENTITLEMENT', id: 'e-1' }],
  reference: 'REQ-1',
} as const;
const rename = [{ op: 'replace', path: '/name', value: 'Renamed' }] as const;
const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT', id, name: null }] }) as const;
const criticalPolicy = {
  name: 'Any of these',
  conflictingAccessCriteria: { criteria: [{ criteriaList: side('e-1').criteriaList }] },
} as const;
const newPolicy = {
  id: 'p-1',
  name: 'Three of these',
  conflictingAccessCriteria: { criteria: [side('e-1'), side('e-2'), side('e-3')], atLeast: 3 },
} as const;

const gain = { kind: 'role', id: 'r-1', add: [{ type: 'ENTITLEMENT', id: 'e-1' }] } as const;
const newException = {
  policyId: 'p-1',
  identityId: 'i-1',
  start: '2026-11-21T00:00:00.000Z',
  end: '2026-12-21T00:00:00.000Z',
  justification: 'Year end',
} as const;

const newControl = {
  name: 'Second signature',
  expiration: '20d',
  owner: { type: 'IDENTITY', id: 'i-1' },
  justificationRequired: true,
} as const;

const newSource = { id: 'erp', name: 'ERP' };

const newWebhook = { name: 'SIEM', url: 'https://siem.example.com/', types: ['*'] };

/** By the id of the operation that a method calls. */
const SAMPLES: Partial<Record<OperationId, Sample>> = {
  'get-auth-user-v1': { call: ({ authUsers }) => authUsers.get(odd.given), id: odd.sent },
  'patch-auth-user-v1': {
    call: ({ authUsers }) => authUsers.setCapabilities('i-1', ['ORG_ADMIN']),
    id: 'i-1',
    sent: [{ op: 'replace', path: '/capabilities', value: ['ORG_ADMIN'] }],
  },
  'get-profile-config-list-v1': {
    call: ({ authProfiles }) => collect(authProfiles.list()),
    query: '?offset=0',
  },
  'get-profile-config-v1': {
    call: ({ authProfiles }) => authProfiles.get(odd.given),
    id: odd.sent,
  },
  'patch-profile-config-v1': {
    call: ({ authProfiles }) => authProfiles.patch('ip-emp', replaceType),
    id: 'ip-emp',
    sent: replaceType,
  },
  'start-predict-sod-violations-v1': {
    call: ({ sodViolations }) => sodViolations.predict(access),
    sent: access,
  },
  'start-predict-sod-violations-batch-v1': {
    call: ({ sodViolations }) => collect(sodViolations.predictBatch([access])),
    sent: access,
  },
  'evaluate-access-v1': {
    call: ({ authzen }) => authzen.evaluate(question),
    sent: question,
  },
  'evaluate-accesses-v1': {
    call: ({ authzen }) => authzen.evaluateMany({ ...question, evaluations: [{}, {}] }),
    sent: { ...question, evaluations: [{}, {}] },
  },
  'search-access-subjects-v1': {
    call: ({ authzen }) => collect(authzen.searchSubjects({ ...question, subject: { type: 'user' } }, { limit: 5 })),
    sent: { ...question, subject: { type: 'user' }, page: { limit: 5 } },
    resolved: ({ results }) => results,
  },
  'search-access-resources-v1': {
    call: ({ authzen }) => collect(authzen.searchResources({ ...question, resource: { type: 'record' } })),
    sent: { ...question, resource: { type: 'record' }, page: {} },
    resolved: ({ results }) => results,
  },
  'search-access-actions-v1': {
    call: ({ authzen }) => collect(authzen.searchActions({ subject: question.subject, resource: question.resource })),
    sent: { subject: question.subject, resource: question.resource, page: {} },
    resolved: ({ results }) => results,
  },
  'start-violation-check-v1': {
    call: ({ sodViolations }) => sodViolations.check({ ...access, clientMetadata: { ticket: '7' } }),
    sent: { ...access, clientMetadata: { ticket: '7' } },
  },
  'list-violation-checks-v1': {
    call: ({ sodViolations }) => collect(sodViolations.listChecks({ filters: 'state eq "PENDING"' })),
    query: '?filters=state%20eq%20%22PENDING%22',
  },
  'get-violation-check-v1': {
    call: ({ sodViolations }) => sodViolations.getCheck(odd.given),
    id: odd.sent,
  },
  'start-sod-dry-run-v1': {
    call: ({ sodReports }) => sodReports.dryRun({ add: [newPolicy, criticalPolicy], remove: ['p-2'] }),
    sent: { add: [newPolicy, criticalPolicy], remove: ['p-2'] },
  },
  'get-violation-check-receipt-v1': {
    call: ({ sodViolations }) => sodViolations.receipt(odd.given),
    id: odd.sent,
  },
  'start-sod-scan-v1': {
    call: ({ sodReports }) => sodReports.scan({ at: '2027-01-01T00:00:00Z' }),
    sent: { at: '2027-01-01T00:00:00Z' },
  },
  'start-sod-blast-radius-v1': {
    call: ({ sodReports }) => sodReports.blastRadius(gain),
    sent: gain,
  },
  'start-sod-fix-plan-v1': {
    call: ({ sodReports }) => sodReports.fixPlan({ levels: ['CRITICAL'], keepHolders: 2 }),
    sent: { levels: ['CRITICAL'], keepHolders: 2 },
  },
  'list-sod-fix-steps-v1': {
    call: ({ sodReports }) => collect(sodReports.steps(odd.given)),
    id: odd.sent,
  },
  'list-sod-unsolvable-violations-v1': {
    call: ({ sodReports }) => collect(sodReports.unsolvable(odd.given)),
    id: odd.sent,
  },
  'hand-over-sod-fix-step-v1': {
    call: ({ sodReports }) => sodReports.handOver('1', 1, { comment: 'Soon' }),
    id: '1',
    sent: { comment: 'Soon' },
  },
  'list-sod-reports-v1': {
    call: ({ sodReports }) => collect(sodReports.list({ filters: 'kind eq "SCAN"' })),
    query: '?filters=kind%20eq%20%22SCAN%22&offset=0',
  },
  'get-sod-report-v1': { call: ({ sodReports }) => sodReports.get(odd.given), id: odd.sent },
  'list-sod-report-violations-v1': {
    call: ({ sodReports }) =>
      collect(sodReports.violations(odd.given, { change: 'same', policyId: 'p:1', filters: 'level eq "LOW"' })),
    id: odd.sent,
    query: '?change=same&policyId=p%3A1&filters=level%20eq%20%22LOW%22&offset=0',
  },
  'list-sod-policies-v1': {
    call: ({ sodPolicies }) => collect(sodPolicies.list({ filters: 'level eq "HIGH"', sorters: '-name' })),
    query: '?filters=level%20eq%20%22HIGH%22&sorters=-name&offset=0',
  },
  'create-sod-policy-v1': {
    call: ({ sodPolicies }) => sodPolicies.create(newPolicy),
    sent: newPolicy,
  },
  'lint-sod-policies-v1': { call: ({ sodPolicies }) => sodPolicies.lint() },
  'get-sod-policy-v1': { call: ({ sodPolicies }) => sodPolicies.get(odd.given), id: odd.sent },
  'put-sod-policy-v1': {
    call: ({ sodPolicies }) => sodPolicies.replace('p-1', newPolicy),
    id: 'p-1',
    sent: newPolicy,
  },
  'patch-sod-policy-v1': {
    call: ({ sodPolicies }) => sodPolicies.patch('p-1', rename),
    id: 'p-1',
    sent: rename,
  },
  'delete-sod-policy-v1': { call: ({ sodPolicies }) => sodPolicies.delete(odd.given), id: odd.sent },
  'get-sod-policy-history-v1': {
    call: ({ sodPolicies }) => collect(sodPolicies.history(odd.given)),
    id: odd.sent,
    query: '?offset=0',
  },
  'list-violations-v1': {
    call: ({ violations }) => collect(violations.list({ filters: 'status eq "Open"', sorters: '-level' })),
    query: '?filters=status%20eq%20%22Open%22&sorters=-level',
  },
  'list-my-violations-v1': { call: ({ violations }) => collect(violations.listMine()) },
  'export-violations-v1': {
    call: ({ violations }) => collect(violations.export({ filters: 'level eq "High"' })),
    query: '?filters=level%20eq%20%22High%22',
  },
  'get-violations-summary-v1': {
    call: ({ violations }) => violations.summary({ days: 1 }),
    query: '?days=1',
  },
  'reassign-violation-v1': {
    call: ({ violations }) => violations.reassign('v-1', 'i-1', { comments: 'Hers' }),
    id: 'v-1',
    sent: { reassignTo: { type: 'IDENTITY', id: 'i-1' }, comments: 'Hers' },
  },
  'apply-control-v1': {
    call: ({ violations }) => violations.applyControl('v-1', 'c-1'),
    id: 'v-1',
    sent: { control: { type: 'CONTROL', id: 'c-1' } },
  },
  'get-violation-v1': { call: ({ violations }) => violations.get(odd.given), id: odd.sent },
  'list-controls-v1': {
    call: ({ controls }) => collect(controls.list({ filters: 'name sw "Second"' })),
    query: '?filters=name%20sw%20%22Second%22&offset=0',
  },
  'create-control-v1': {
    call: ({ controls }) => controls.create(newControl),
    sent: newControl,
  },
  'get-control-v1': { call: ({ controls }) => controls.get(odd.given), id: odd.sent },
  'put-control-v1': {
    call: ({ controls }) => controls.replace(odd.given, newControl),
    id: odd.sent,
    sent: newControl,
  },
  'patch-control-v1': {
    call: ({ controls }) => controls.patch('c-1', rename),
    id: 'c-1',
    sent: rename,
  },
  'delete-control-v1': { call: ({ controls }) => controls.delete(odd.given), id: odd.sent },
  'list-sources-v1': {
    call: ({ sources }) => collect(sources.list({ filters: 'name sw "ERP"' })),
    query: '?filters=name%20sw%20%22ERP%22&offset=0',
  },
  'create-source-v1': { call: ({ sources }) => sources.create(newSource), sent: newSource },
  'get-source-v1': { call: ({ sources }) => sources.get(odd.given), id: odd.sent },
  'put-source-v1': {
    call: ({ sources }) => sources.replace(odd.given, newSource),
    id: odd.sent,
    sent: newSource,
  },
  'patch-source-v1': { call: ({ sources }) => sources.patch('erp', rename), id: 'erp', sent: rename },
  'create-source-load-v1': {
    call: ({ sourceLoads }) => sourceLoads.create(odd.given, { mode: 'FULL' }),
    id: odd.sent,
    sent: { mode: 'FULL' },
  },
  'put-source-load-part-v1': {
    call: ({ sourceLoads }) => sourceLoads.putPart('3', '3', 3, [{ kind: 'account', id: 'a' }]),
    id: '3',
    sent: { kind: 'account', id: 'a' },
  },
  'commit-source-load-v1': {
    call: ({ sourceLoads }) => sourceLoads.commit(odd.given, odd.given, { confirmDeletes: 12 }),
    id: odd.sent,
    sent: { confirmDeletes: 12 },
  },
  'list-source-loads-v1': {
    call: ({ sourceLoads }) => collect(sourceLoads.list(odd.given)),
    id: odd.sent,
    query: '?offset=0',
  },
  'get-source-load-v1': {
    call: ({ sourceLoads }) => sourceLoads.get(odd.given, odd.given),
    id: odd.sent,
  },
  'cancel-source-load-v1': {
    call: ({ sourceLoads }) => sourceLoads.cancel(odd.given, odd.given),
    id: odd.sent,
  },
  'delete-source-v1': { call: ({ sources }) => sources.delete(odd.given), id: odd.sent },
  'list-accounts-v1': {
    call: ({ accounts }) => collect(accounts.list({ filters: 'identityId eq null' })),
    query: '?filters=identityId%20eq%20null&offset=0',
  },
  'get-account-v1': { call: ({ accounts }) => accounts.get(odd.given), id: odd.sent },
  'put-account-identity-v1': {
    call: ({ accounts }) => accounts.link(odd.given, 'i-1'),
    id: odd.sent,
    sent: { identityId: 'i-1' },
  },
  'list-sod-exceptions-v1': {
    call: ({ sodExceptions }) => collect(sodExceptions.list({ filters: 'state eq "VOID"' })),
    query: '?filters=state%20eq%20%22VOID%22&offset=0',
  },
  'create-sod-exception-v1': {
    call: ({ sodExceptions }) => sodExceptions.create(newException),
    sent: newException,
  },
  'get-sod-exception-v1': {
    call: ({ sodExceptions }) => sodExceptions.get(odd.given),
    id: odd.sent,
  },
  'approve-sod-exception-v1': {
    call: ({ sodExceptions }) => sodExceptions.approve(odd.given, { comment: 'Seen.' }),
    id: odd.sent,
    sent: { comment: 'Seen.' },
  },
  'revoke-sod-exception-v1': {
    call: ({ sodExceptions }) => sodExceptions.revoke(odd.given),
    id: odd.sent,
    sent: {},
  },
  'list-sod-reservations-v1': {
    call: ({ sodReservations }) => collect(sodReservations.list({ filters: 'state eq "LIVE"', sorters: '-created' })),
    query: '?filters=state%20eq%20%22LIVE%22&sorters=-created',
  },
  'create-sod-reservation-v1': {
    call: ({ sodReservations }) => sodReservations.create(newReservation),
    sent: newReservation,
  },
  'get-sod-reservation-v1': {
    call: ({ sodReservations }) => sodReservations.get(odd.given),
    id: odd.sent,
  },
  'settle-sod-reservation-v1': {
    call: ({ sodReservations }) => sodReservations.settle(odd.given),
    id: odd.sent,
  },
  'delete-sod-reservation-v1': { call: ({ sodReservations }) => sodReservations.release(odd.given), id: odd.sent },
  'get-auth-org-lockout-config-v1': { call: ({ authOrg }) => authOrg.lockout.get() },
  'patch-auth-org-lockout-config-v1': {
    call: ({ authOrg }) => authOrg.lockout.patch([{ op: 'replace', path: '/maximumAttempts', value: 7 }]),
    sent: [{ op: 'replace', path: '/maximumAttempts', value: 7 }],
  },
  'get-auth-org-session-config-v1': { call: ({ authOrg }) => authOrg.session.get() },
  'patch-auth-org-session-config-v1': {
    call: ({ authOrg }) => authOrg.session.patch([{ op: 'replace', path: '/maxIdleTime', value: 20 }]),
    sent: [{ op: 'replace', path: '/maxIdleTime', value: 20 }],
  },
  'get-auth-org-network-config-v1': { call: ({ authOrg }) => authOrg.network.get() },
  'set-auth-org-network-config-v1': {
    call: ({ authOrg }) => authOrg.network.set({ geolocation: ['CH'] }),
    sent: { geolocation: ['CH'] },
  },
  'patch-auth-org-network-config-v1': {
    call: ({ authOrg }) => authOrg.network.patch([{ op: 'replace', path: '/whitelisted', value: true }]),
    sent: [{ op: 'replace', path: '/whitelisted', value: true }],
  },
  'create-sign-in-link-v1': {
    call: ({ authUsers }) => authUsers.createSignInLink(odd.given, { hours: 8 }),
    id: odd.sent,
    sent: { hours: 8 },
  },
  'get-credentials-v1': {
    call: ({ authUsers }) => authUsers.credentials(odd.given),
    id: odd.sent,
  },
  'remove-credential-v1': {
    call: ({ authUsers }) => authUsers.removeCredential(odd.given, odd.given),
    id: odd.sent,
  },
  'unlock-auth-user-v1': { call: ({ authUsers }) => authUsers.unlock(odd.given), id: odd.sent },
  'remove-credentials-v1': { call: ({ authUsers }) => authUsers.removeCredentials(odd.given), id: odd.sent },
  'list-sessions-v1': {
    call: ({ sessions }) => collect(sessions.list({ filters: 'identityId eq "i-1"' })),
    query: '?filters=identityId%20eq%20%22i-1%22&offset=0',
  },
  'end-session-v1': { call: ({ sessions }) => sessions.end(odd.given), id: odd.sent },
  'decide-sign-in-v1': {
    call: ({ signIn }) => signIn.decide({ username: 'ada', ip: '::1' }),
    sent: { username: 'ada', ip: '::1' },
  },
  'get-tenant-ui-metadata-v1': { call: ({ uiMetadata }) => uiMetadata.get() },
  'set-tenant-ui-metadata-v1': {
    call: ({ uiMetadata }) => uiMetadata.set({ usernameLabel: null }),
    sent: { usernameLabel: null },
  },
  'get-tenant-branding-v1': { call: ({ branding }) => branding.get() },
  'set-tenant-branding-v1': {
    call: ({ branding }) => branding.set({ title: null }),
    sent: { title: null },
  },
  'create-oauth-client-v1': {
    call: ({ oauthClients }) => oauthClients.create(newClient),
    sent: newClient,
  },
  'list-oauth-clients-v1': {
    call: ({ oauthClients }) => collect(oauthClients.list()),
    query: '?offset=0',
  },
  'get-oauth-client-v1': { call: ({ oauthClients }) => oauthClients.get(odd.given), id: odd.sent },
  'patch-oauth-client-v1': {
    call: ({ oauthClients }) => oauthClients.patch('c-1', rename),
    id: 'c-1',
    sent: rename,
  },
  'delete-oauth-client-v1': { call: ({ oauthClients }) => oauthClients.delete(odd.given), id: odd.sent },
  'rotate-oauth-client-secret-v1': {
    call: ({ oauthClients }) => oauthClients.rotateSecret(odd.given, { overlapHours: 0 }),
    id: odd.sent,
    sent: { overlapHours: 0 },
  },
  'create-bearer-token-v1': {
    call: ({ oauthClients }) => oauthClients.createBearerToken(odd.given, { source: 'hr' }),
    id: odd.sent,
    sent: { source: 'hr' },
  },
  'list-bearer-tokens-v1': {
    call: ({ oauthClients }) => collect(oauthClients.bearerTokens(odd.given)),
    id: odd.sent,
    query: '?offset=0',
  },
  'delete-bearer-token-v1': {
    call: ({ oauthClients }) => oauthClients.deleteBearerToken(odd.given, odd.given),
    id: odd.sent,
  },
  'list-tenants-v1': { call: ({ tenants }) => collect(tenants.list()), query: '?offset=0' },
  'get-tenant-v1': { call: ({ tenants }) => tenants.get('acme'), id: 'acme' },
  'delete-tenant-v1': {
    call: ({ tenants }) => tenants.delete('acme', { confirm: 'acme' }),
    id: 'acme',
  },
  'import-access-model-v1': {
    call: ({ accessModel }) => accessModel.import([entitlement]),
    sent: entitlement,
  },
  'list-identities-v1': {
    call: ({ identities }) => collect(identities.list({ filters: 'uid co "ada"', sorters: '-displayName' })),
    query: '?filters=uid%20co%20%22ada%22&sorters=-displayName',
  },
  'export-personal-data-v1': {
    call: ({ identities }) => collect(identities.personalData(odd.given)),
    id: odd.sent,
  },
  'erase-identity-v1': {
    call: ({ identities }) => identities.erase(odd.given, { confirm: odd.given }),
    id: odd.sent,
  },
  'get-identity-v1': {
    call: ({ identities }) => identities.get(odd.given),
    id: odd.sent,
  },
  'list-entitlements-v1': {
    call: ({ entitlements }) => entitlements.page({ limit: 5, cursor: 'abc' }).then(({ items }) => items),
    query: '?limit=5&cursor=abc',
  },
  'get-entitlement-v1': {
    call: ({ entitlements }) => entitlements.get(odd.given),
    id: odd.sent,
  },
  'list-entitlement-holders-v1': {
    call: ({ entitlements }) => collect(entitlements.holders(odd.given)),
    id: odd.sent,
  },
  'list-access-profiles-v1': {
    call: ({ accessProfiles }) => collect(accessProfiles.list()),
  },
  'get-access-profile-v1': {
    call: ({ accessProfiles }) => accessProfiles.get(odd.given),
    id: odd.sent,
  },
  'list-access-profile-holders-v1': {
    call: ({ accessProfiles }) => collect(accessProfiles.holders(odd.given)),
    id: odd.sent,
  },
  'list-roles-v1': {
    call: ({ roles }) => collect(roles.list()),
  },
  'get-role-v1': {
    call: ({ roles }) => roles.get(odd.given),
    id: odd.sent,
  },
  'list-role-holders-v1': {
    call: ({ roles }) => roles.holdersPage(odd.given, { count: true }).then(({ items }) => items),
    id: odd.sent,
    query: '?count=true',
  },
  'list-identity-profiles-v1': {
    call: ({ identityProfiles }) => collect(identityProfiles.list()),
  },
  'get-identity-profile-v1': {
    call: ({ identityProfiles }) => identityProfiles.get(odd.given),
    id: odd.sent,
  },
  'create-identity-v1': {
    call: ({ identities }) => identities.create({ id: 'x', uid: 'one', identityProfile: 'ip-emp' }),
    sent: { id: 'x', uid: 'one', identityProfile: 'ip-emp' },
  },
  'put-identity-v1': {
    call: ({ identities }) => identities.replace(odd.given, { uid: 'one', identityProfile: 'ip-emp' }),
    id: odd.sent,
    sent: { uid: 'one', identityProfile: 'ip-emp' },
  },
  'patch-identity-v1': {
    call: ({ identities }) => identities.patch('x', [{ op: 'replace', path: '/alias', value: 'Renamed' }]),
    id: 'x',
    sent: [{ op: 'replace', path: '/alias', value: 'Renamed' }],
  },
  'delete-identity-v1': { call: ({ identities }) => identities.delete(odd.given), id: odd.sent },
  'create-entitlement-v1': {
    call: ({ entitlements }) => entitlements.create({ id: 'x', name: 'One' }),
    sent: { id: 'x', name: 'One' },
  },
  'put-entitlement-v1': {
    call: ({ entitlements }) => entitlements.replace(odd.given, { name: 'One' }),
    id: odd.sent,
    sent: { name: 'One' },
  },
  'patch-entitlement-v1': {
    call: ({ entitlements }) => entitlements.patch('x', rename),
    id: 'x',
    sent: rename,
  },
  'delete-entitlement-v1': { call: ({ entitlements }) => entitlements.delete(odd.given), id: odd.sent },
  'create-access-profile-v1': {
    call: ({ accessProfiles }) => accessProfiles.create({ id: 'x', name: 'One', entitlements: [] }),
    sent: { id: 'x', name: 'One', entitlements: [] },
  },
  'put-access-profile-v1': {
    call: ({ accessProfiles }) => accessProfiles.replace(odd.given, { name: 'One', entitlements: [] }),
    id: odd.sent,
    sent: { name: 'One', entitlements: [] },
  },
  'patch-access-profile-v1': {
    call: ({ accessProfiles }) => accessProfiles.patch('x', rename),
    id: 'x',
    sent: rename,
  },
  'delete-access-profile-v1': { call: ({ accessProfiles }) => accessProfiles.delete(odd.given), id: odd.sent },
  'create-role-v1': {
    call: ({ roles }) => roles.create({ id: 'x', name: 'One' }),
    sent: { id: 'x', name: 'One' },
  },
  'put-role-v1': {
    call: ({ roles }) => roles.replace(odd.given, { name: 'One' }),
    id: odd.sent,
    sent: { name: 'One' },
  },
  'patch-role-v1': {
    call: ({ roles }) => roles.patch('x', rename),
    id: 'x',
    sent: rename,
  },
  'delete-role-v1': { call: ({ roles }) => roles.delete(odd.given), id: odd.sent },
  'create-identity-profile-v1': {
    call: ({ identityProfiles }) => identityProfiles.create({ id: 'x', name: 'One' }),
    sent: { id: 'x', name: 'One' },
  },
  'put-identity-profile-v1': {
    call: ({ identityProfiles }) => identityProfiles.replace(odd.given, { name: 'One' }),
    id: odd.sent,
    sent: { name: 'One' },
  },
  'patch-identity-profile-v1': {
    call: ({ identityProfiles }) => identityProfiles.patch('x', rename),
    id: 'x',
    sent: rename,
  },
  'delete-identity-profile-v1': { call: ({ identityProfiles }) => identityProfiles.delete(odd.given), id: odd.sent },
  'export-access-model-v1': { call: ({ accessModel }) => collect(accessModel.export()) },
  'list-webhooks-v1': { call: ({ webhooks }) => collect(webhooks.list()), query: '?offset=0' },
  'create-webhook-v1': {
    call: ({ webhooks }) => webhooks.create(newWebhook),
    sent: newWebhook,
  },
  'get-webhook-v1': { call: ({ webhooks }) => webhooks.get(odd.given), id: odd.sent },
  'patch-webhook-v1': {
    call: ({ webhooks }) => webhooks.patch('w-1', rename),
    id: 'w-1',
    sent: rename,
  },
  'delete-webhook-v1': { call: ({ webhooks }) => webhooks.delete(odd.given), id: odd.sent },
  'rotate-webhook-secret-v1': {
    call: ({ webhooks }) => webhooks.rotateSecret(odd.given),
    id: odd.sent,
    sent: {},
  },
  'list-webhook-deliveries-v1': {
    call: ({ webhooks }) => collect(webhooks.deliveries(odd.given, { filters: 'state eq "FAILED"' })),
    id: odd.sent,
    query: '?filters=state%20eq%20%22FAILED%22',
  },
  'resend-webhook-delivery-v1': {
    call: ({ webhooks }) => webhooks.resend(odd.given, odd.given),
    id: odd.sent,
    sent: {},
  },
  'test-webhook-v1': {
    call: ({ webhooks }) => webhooks.test(odd.given),
    id: odd.sent,
    sent: {},
  },
  'replay-webhook-v1': {
    call: ({ webhooks }) => webhooks.replay(odd.given, '7'),
    id: odd.sent,
    sent: { after: '7' },
  },
  'list-audit-events-v1': {
    call: ({ auditEvents }) => collect(auditEvents.list({ filters: 'actor eq "c-1"' })),
    query: '?filters=actor%20eq%20%22c-1%22&offset=0',
  },
  'export-audit-events-v1': { call: ({ auditEvents }) => collect(auditEvents.export()) },
  'get-audit-head-v1': {
    call: ({ auditEvents }) => auditEvents.head(),
  },
  'list-events-v1': {
    call: ({ events }) => events.page({ after: '1', types: ['sod.check.*'], limit: 5 }).then(({ items }) => items),
    query: '?after=1&types=sod.check.*&limit=5',
  },
};

const lineOf = ({ method, path }: Operation, id: string, query = '') =>
  `${method} ${path.replaceAll(/\{\w+\}/g, id)}${query}`;

/** Answers as the service has answered the example of the operation. */
function reactionOf({ id, response: { status, mediaType } }: Operation): Reaction {
  const answer = ANSWERS[id];
  if (mediaType === null) return empty(status);
  if (mediaType === 'application/json') return json(status, answer);
  return text(status, [answer].flat().map(asLine).join(''), mediaType);
}

const METHODS = OPERATIONS.flatMap((operation) => {
  const sample = SAMPLES[operation.id];
  return sample === undefined ? [] : [{ ...operation, sample }];
});

describe.each(METHODS)('the method of $id', (operation) => {
  const { call, id = '', query, sent, resolved = (answer: unknown) => answer } = operation.sample;
  const line = lineOf(operation, id, query);

  test('sends the request of the operation table and resolves with the answer', async () => {
    await using stage = await openStage();
    stage.server.script(line, reactionOf(operation));
    await expect(call(stage.admin)).resolves.toEqual(resolved(Object(ANSWERS)[operation.id]));
    const [arrival] = stage.server.arrivals;
    expect(arrival?.line).toBe(line);
    expect(arrival?.headers).toMatchObject({
      accept: operation.response.mediaType ?? 'application/json',
      authorization: 'Bearer token-1',
    });
    expect(arrival?.headers['content-type']).toBe(operation.body?.mediaType);
    expect(arrival?.headers['x-service-experimental']).toBe(operation.experimental ? 'true' : undefined);
    expect(arrival?.body).toBe(sent === undefined ? '' : asText(operation.body?.mediaType, sent));
  });

  test('sends a body that fits the schema of the operation table', () => {
    if (operation.body?.schema) expect(validate(operation.body.schema, sent)).toMatchObject({ ok: true });
  });

  test('sends the experimental header only if the client enables it', async () => {
    await using stage = await openStage({ experimental: false });
    stage.server.script(line, reactionOf(operation));
    await call(stage.admin);
    expect(stage.server.arrivals[0]?.headers).not.toHaveProperty('x-service-experimental');
  });
});

const isJson = ({ response: { mediaType } }: Operation) => mediaType === null || mediaType === 'application/json';

test('every operation whose answer is not JSON has a method', () => {
  const without = OPERATIONS.filter((operation) => !isJson(operation) && SAMPLES[operation.id] === undefined);
  expect(without.map(({ id }) => id)).toEqual([]);
});

test.each(OPERATIONS.filter(isJson))('`call` sends $id and resolves with the answer', async (operation) => {
  await using stage = await openStage();
  const line = lineOf(operation, 'x');
  const { id, method, body, experimental, example } = operation;
  stage.server.script(line, reactionOf(operation));
  const sent = body === null ? '' : JSON.stringify(example.body);
  const answer = await stage.admin.call({
    method,
    path: line.slice(method.length + 1),
    experimental,
    ...(body === null ? {} : { body: { type: body.mediaType, text: sent } }),
  });
  expect(answer.value).toEqual(ANSWERS[id]);
  const [arrival] = stage.server.arrivals;
  expect([arrival?.line, arrival?.body]).toEqual([line, sent]);
  expect(arrival?.headers['content-type']).toBe(body?.mediaType);
  expect(arrival?.headers['x-service-experimental']).toBe(experimental ? 'true' : undefined);
});

test('searches go on page by page to the end', async () => {
  await using stage = await openStage();
  const found = (id: string) => ({ type: 'user', id });
  const line = 'POST /access/v1/search/subject';
  const search = { ...question, subject: { type: 'user' } };
  const first = { page: { next_token: 'more', count: 1 }, results: [found('alice')] };
  const last = { page: { next_token: '', count: 1 }, results: [found('bob')] };
  stage.server.script(line, json(200, first), json(200, last));
  expect(await collect(stage.admin.authzen.searchSubjects(search, { limit: 1 }))).toEqual([
    found('alice'),
    found('bob'),
  ]);
  const pages = stage.server.arrivals.map(({ body }) => JSON.parse(body).page);
  expect(pages).toEqual([{ limit: 1 }, { limit: 1, token: 'more' }]);
});

describe('include', () => {
  test.each([
    [['via'], '?include=via'],
    [['via', 'remediation'], '?include=via%2Cremediation'],
    [[], ''],
    [undefined, ''],
  ] as const)('%j is sent', async (include, query) => {
    await using stage = await openStage();
    for (const path of ['predict', 'check'] as const) {
      const line = `POST /sod-violations/v1/${path}${query}`;
      stage.server.script(line, path === 'predict' ? json(200, prediction) : json(202, { requestId: 'r-1' }));
      await stage.admin.sodViolations[path](access, { include });
      expect(stage.server.arrivals.at(-1)?.line).toBe(line);
    }
  });
});

test('windows and the evaluation time are sent unchanged', async () => {
  await using stage = await openStage();
  const ref = { type: 'ROLE', id: 'r-1' } as const;
  const start = '2027-01-01T01:00:00+01:00';
  const request = { identityId: 'i-1', accessRefs: [ref, { ...ref, start }, { ...ref, start, end: start }], at: start };
  const { server, admin } = stage;
  server.script('POST /sod-violations/v1/predict', json(200, prediction));
  await admin.sodViolations.predict(request);
  expect(JSON.parse(server.arrivals.at(-1)?.body ?? '')).toEqual(request);
  const identity = {
    kind: 'identity',
    id: 'i-1',
    uid: 'u',
    identityProfile: 'ip',
    access: request.accessRefs,
  } as const;
  server.script('POST /access-model/v1/import', json(200, imported));
  await admin.accessModel.import([identity]);
  expect(JSON.parse(server.arrivals.at(-1)?.body ?? '')).toEqual(identity);
});

/** A line of NDJSON; a text as it is. */
const asLine = (value: unknown): string => (typeof value === 'string' ? value : `${JSON.stringify(value)}\n`);

const asText = (mediaType: string | undefined, value: unknown): string =>
  `${JSON.stringify(value)}${mediaType === 'application/x-ndjson' ? '\n' : ''}`;
