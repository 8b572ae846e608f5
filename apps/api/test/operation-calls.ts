import type { OperationId } from '@access-admin/contract';
import { completeFixPlan } from './complete-fix-plan.ts';
import { openViolations } from './open-violations.ts';
import { ASKED, exceptionsOf, holder } from './sod-exceptions-world.ts';
import { openTestApi, type TestCall } from './test-api.ts';
import { openSession } from './test-session.ts';

const MOMENT = '2026-11-21T09:30:00.000Z';
const side = (id: string) => ({ name: 'a side', criteriaList: [{ type: 'ENTITLEMENT', id }] });
const POLICY = {
  name: 'Vendor and report',
  level: 'HIGH',
  conflictingAccessCriteria: { leftCriteria: side('e-vendor'), rightCriteria: side('e-report') },
};
const CONTROL = { name: 'Second signature', owner: { type: 'IDENTITY', id: 'i-ada' }, expiration: '20d' };
const REQUEST = { identityId: 'i-cleo', accessRefs: [{ type: 'ROLE', id: 'r-buyer', name: 'Buyer', start: MOMENT }] };

/** An API with a resource for each operation. */
export async function openWorld() {
  const world = await exceptionsOf(await openTestApi());
  const { api, ada, hal, approved } = world;
  const { call, store, clock } = api;
  const post = (path: string, body: unknown) => call('POST', path, { body });
  await api.importRecords([
    holder('i-cat', 'e-vendor', 'e-pay'),
    holder('i-dan', 'e-vendor', 'e-pay'),
    holder('i-eve', 'e-vendor', 'e-pay'),
    { kind: 'source', id: 'hr', name: 'HR' },
  ]);
  const reportId: string = (await post('/sod-violations/v1/scan', {})).json.reportId;
  const claimed = await store.reports.claim({ nowMs: clock.nowMs, leaseMs: 1_000 });
  if (claimed === null) throw new Error('There is no report to make.');
  const basis = { policySetVersion: 1, asOf: MOMENT };
  await store.reports.renew(claimed, { progress: 0.5, leaseEndMs: clock.nowMs + 1_000, basis });
  const totals = { identities: 4, new: 0, same: 0, gone: 0, excepted: 0 };
  await store.reports.complete(claimed, { state: 'SUCCESS', completed: MOMENT, totals, message: null }, 50);
  const check = (await post('/sod-violations/v1/check', REQUEST)).json.requestId;
  const [toConclude] = await store.checks.claim({ nowMs: clock.nowMs, leaseMs: 1_000, limit: 1 });
  if (toConclude === undefined) throw new Error('There is no check to conclude.');
  const result = JSON.stringify({
    message: null,
    clientMetadata: null,
    violationContexts: [],
    violatedPolicies: [],
    violationCount: 0,
    omitted: 0,
    ...basis,
  });
  await store.checks.complete([{ ...toConclude, state: 'SUCCESS', completed: MOMENT, result }]);
  const requested = (await call('POST', '/sod-exceptions/v1', { token: ada, body: ASKED })).json.id;
  const exception = await approved({ identityId: 'i-dan' });
  const client = (await post('/oauth-clients/v1', { name: 'c', scopes: ['auth-users:read'] })).json.id;
  const bearerToken = (await post(`/oauth-clients/v1/${client}/bearer-tokens`, { source: 'hr' })).json.id;
  await post('/oauth-clients/v1', { name: 'c', scopes: ['auth-users:read'], tenant: 'other' });
  const webhook = (await post('/webhooks/v1', { name: 'w', url: 'https://example.com/', types: ['*'] })).json.id;
  const delivery = (await post(`/webhooks/v1/${webhook}/test`, {})).json.id;
  const [violation = ''] = await openViolations(store, [{ policyId: 'p-1', identityId: 'i-cat' }]);
  await post('/controls/v1', { ...CONTROL, id: 'c-applied' });
  const hr = [
    { kind: 'source', id: 'hr', name: 'HR' },
    { kind: 'source', id: 'crm', name: 'CRM' },
    { kind: 'account', source: 'hr', id: 'a-1' },
  ];
  await api.importRecords(hr);
  const account = (await call('GET', '/accounts/v1')).json[0].key;
  const load = (await post('/sources/v1/hr/loads', { mode: 'FULL' })).json.loadId;
  const fixPlanId = await completeFixPlan(api);
  const cancelled = (await post('/sources/v1/crm/loads', { mode: 'FULL' })).json.loadId;
  const reserved = { identityId: 'i-cleo', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-report' }] };
  const reservation = (await post('/sod-reservations/v1', reserved)).json.id;
  const released = (await post('/sod-reservations/v1', reserved)).json.id;
  const { id: session } = await openSession(api, 'i-ada');
  return {
    api,
    session,
    ada,
    hal,
    reportId,
    fixPlanId,
    check,
    requested,
    exception,
    client,
    bearerToken,
    webhook,
    delivery,
    violation,
    account,
    load,
    cancelled,
    reservation,
    released,
  };
}

const QUESTION = {
  subject: { type: 'identity', id: 'i-cleo' },
  action: { name: 'hold' },
  resource: { type: 'entitlement', id: 'e-pay' },
};

export type OperationCall = readonly [path: string, options?: TestCall];

type OperationWorld = Awaited<ReturnType<typeof openWorld>>;

/** A successful request for each operation, in order: later ones depend on earlier ones. */
export const callsOf = ({ ada, hal, ...ids }: OperationWorld): Record<OperationId, OperationCall> => ({
  'get-auth-user-v1': ['/auth-users/v1/i-ada'],
  'patch-auth-user-v1': [
    '/auth-users/v1/i-cleo',
    { body: [{ op: 'add', path: '/capabilities/-', value: 'HELPDESK' }] },
  ],
  'create-sign-in-link-v1': ['/auth-users/v1/i-cleo/sign-in-link', { body: { hours: 1 } }],
  'get-credentials-v1': ['/auth-users/v1/i-cleo/credentials'],
  'remove-credential-v1': ['/auth-users/v1/i-cleo/credentials/totp'],
  'unlock-auth-user-v1': ['/auth-users/v1/i-cleo/lock'],
  'remove-credentials-v1': ['/auth-users/v1/i-cleo/credentials'],
  'list-sessions-v1': ['/sessions/v1?count=true'],
  'end-session-v1': [`/sessions/v1/${ids.session}`],
  'get-profile-config-list-v1': ['/auth-profiles/v1'],
  'get-profile-config-v1': ['/auth-profiles/v1/ip-emp'],
  'patch-profile-config-v1': ['/auth-profiles/v1/ip-emp', { body: [] }],
  'get-auth-org-lockout-config-v1': ['/auth-org/v1/lockout-config'],
  'patch-auth-org-lockout-config-v1': ['/auth-org/v1/lockout-config', { body: [] }],
  'get-auth-org-session-config-v1': ['/auth-org/v1/session-config'],
  'patch-auth-org-session-config-v1': ['/auth-org/v1/session-config', { body: [] }],
  'get-auth-org-network-config-v1': ['/auth-org/v1/network-config'],
  'set-auth-org-network-config-v1': ['/auth-org/v1/network-config', { body: { geolocation: ['CH'] } }],
  'patch-auth-org-network-config-v1': ['/auth-org/v1/network-config', { body: [] }],
  'decide-sign-in-v1': ['/sign-in/v1/decision', { body: { username: 'ADA', ip: '::1', country: 'CH', at: MOMENT } }],
  'start-predict-sod-violations-v1': ['/sod-violations/v1/predict?include=via,remediation', { body: REQUEST }],
  'start-predict-sod-violations-batch-v1': [
    '/sod-violations/v1/predict/batch',
    { headers: { 'content-type': 'application/x-ndjson' }, body: `${JSON.stringify(REQUEST)}\n{}` },
  ],
  'evaluate-access-v1': ['/access/v1/evaluation', { body: QUESTION }],
  'evaluate-accesses-v1': ['/access/v1/evaluations', { body: { ...QUESTION, evaluations: [{}] } }],
  'search-access-subjects-v1': ['/access/v1/search/subject', { body: QUESTION }],
  'search-access-resources-v1': ['/access/v1/search/resource', { body: QUESTION }],
  'search-access-actions-v1': ['/access/v1/search/action', { body: QUESTION }],
  'start-violation-check-v1': ['/sod-violations/v1/check', { body: { ...REQUEST, clientMetadata: { a: 'b' } } }],
  'list-violation-checks-v1': ['/sod-violations/v1/checks?count=true'],
  'get-violation-check-v1': [`/sod-violations/v1/check/${ids.check}`],
  'get-violation-check-receipt-v1': [`/sod-violations/v1/check/${ids.check}/receipt`],
  'start-sod-scan-v1': ['/sod-violations/v1/scan', { body: {} }],
  'start-sod-blast-radius-v1': ['/sod-violations/v1/blast-radius', { body: { kind: 'role', id: 'r-buyer', add: [] } }],
  'start-sod-fix-plan-v1': ['/sod-violations/v1/fix-plan', { body: {} }],
  'list-sod-fix-steps-v1': [`/sod-reports/v1/${ids.fixPlanId}/steps`],
  'list-sod-unsolvable-violations-v1': [`/sod-reports/v1/${ids.fixPlanId}/unsolvable`],
  'hand-over-sod-fix-step-v1': [`/sod-reports/v1/${ids.fixPlanId}/steps/1/hand-over`, { body: {} }],
  'start-sod-dry-run-v1': ['/sod-policies/v1/dry-run', { body: { add: [POLICY], change: [], remove: ['p-1'] } }],
  'list-sod-reports-v1': ['/sod-reports/v1?count=true'],
  'get-sod-report-v1': [`/sod-reports/v1/${ids.reportId}`],
  'list-sod-report-violations-v1': [`/sod-reports/v1/${ids.reportId}/violations`],
  'list-violations-v1': ['/violations/v1?count=true'],
  'export-violations-v1': ['/violations/v1/export'],
  'get-violations-summary-v1': ['/violations/v1/summary?days=2'],
  'get-violation-v1': [`/violations/v1/${ids.violation}`],
  'reassign-violation-v1': [`/violations/v1/${ids.violation}/reassign`, { body: { assigneeId: 'i-ada' } }],
  'apply-control-v1': [
    `/violations/v1/${ids.violation}/controls`,
    { token: ada, body: { control: { type: 'CONTROL', id: 'c-applied' } } },
  ],
  'list-my-violations-v1': ['/my-violations/v1?count=true', { token: ada }],
  'list-sod-policies-v1': ['/sod-policies/v1?count=true'],
  'create-sod-policy-v1': ['/sod-policies/v1', { body: { ...POLICY, id: 'p-2' } }],
  'lint-sod-policies-v1': ['/sod-policies/v1/lint'],
  'get-sod-policy-v1': ['/sod-policies/v1/p-2'],
  'put-sod-policy-v1': ['/sod-policies/v1/p-2', { body: { ...POLICY, name: 'Another' } }],
  'patch-sod-policy-v1': ['/sod-policies/v1/p-2', { body: [{ op: 'replace', path: '/level', value: 'LOW' }] }],
  'delete-sod-policy-v1': ['/sod-policies/v1/p-2'],
  'get-sod-policy-history-v1': ['/sod-policies/v1/p-2/history'],
  'create-source-v1': ['/sources/v1', { body: { id: 'erp', name: 'ERP' } }],
  'list-sources-v1': ['/sources/v1?count=true'],
  'get-source-v1': ['/sources/v1/erp'],
  'put-source-v1': ['/sources/v1/erp', { body: { name: 'ERP 2' } }],
  'patch-source-v1': ['/sources/v1/erp', { body: [{ op: 'replace', path: '/groups', value: 'ROLE' }] }],
  'list-accounts-v1': ['/accounts/v1?count=true'],
  'get-account-v1': [`/accounts/v1/${ids.account}`],
  'put-account-identity-v1': [`/accounts/v1/${ids.account}/identity`, { body: { identityId: 'i-cat' } }],
  'create-source-load-v1': ['/sources/v1/erp/loads', { body: { mode: 'DELTA', dryRun: true } }],
  'put-source-load-part-v1': [
    `/sources/v1/hr/loads/${ids.load}/parts/1`,
    { headers: { 'content-type': 'application/x-ndjson' }, body: '{"kind":"account","id":"a-2"}' },
  ],
  'list-source-loads-v1': ['/sources/v1/hr/loads?count=true'],
  'get-source-load-v1': [`/sources/v1/hr/loads/${ids.load}`],
  'commit-source-load-v1': [`/sources/v1/hr/loads/${ids.load}/commit`, { body: {} }],
  'cancel-source-load-v1': [`/sources/v1/crm/loads/${ids.cancelled}`],
  'delete-source-v1': ['/sources/v1/erp'],
  'list-controls-v1': ['/controls/v1?count=true'],
  'create-control-v1': ['/controls/v1', { body: { ...CONTROL, id: 'c-1' } }],
  'get-control-v1': ['/controls/v1/c-1'],
  'put-control-v1': ['/controls/v1/c-1', { body: { ...CONTROL, name: 'Third signature' } }],
  'patch-control-v1': ['/controls/v1/c-1', { body: [{ op: 'replace', path: '/expiration', value: '48h' }] }],
  'delete-control-v1': ['/controls/v1/c-1'],
  'list-sod-exceptions-v1': ['/sod-exceptions/v1', { token: ada }],
  'create-sod-exception-v1': ['/sod-exceptions/v1', { token: ada, body: { ...ASKED, identityId: 'i-eve' } }],
  'get-sod-exception-v1': [`/sod-exceptions/v1/${ids.requested}`, { token: ada }],
  'approve-sod-exception-v1': [`/sod-exceptions/v1/${ids.requested}/approve`, { token: hal, body: {} }],
  'revoke-sod-exception-v1': [`/sod-exceptions/v1/${ids.exception}/revoke`, { token: hal, body: {} }],
  'list-sod-reservations-v1': ['/sod-reservations/v1?count=true'],
  'create-sod-reservation-v1': ['/sod-reservations/v1', { body: { ...REQUEST, onConflict: 'RESERVE' } }],
  'get-sod-reservation-v1': [`/sod-reservations/v1/${ids.reservation}`],
  'settle-sod-reservation-v1': [`/sod-reservations/v1/${ids.reservation}/settle`],
  'delete-sod-reservation-v1': [`/sod-reservations/v1/${ids.released}`],
  'get-tenant-ui-metadata-v1': ['/ui-metadata/v1/tenant'],
  'set-tenant-ui-metadata-v1': ['/ui-metadata/v1/tenant', { body: { usernameLabel: 'Name' } }],
  'get-tenant-branding-v1': ['/branding/v1/tenant'],
  'set-tenant-branding-v1': ['/branding/v1/tenant', { body: { title: 'Example' } }],
  'create-oauth-client-v1': ['/oauth-clients/v1', { body: { name: 'd', scopes: ['auth-users:read'] } }],
  'list-oauth-clients-v1': ['/oauth-clients/v1'],
  'get-oauth-client-v1': [`/oauth-clients/v1/${ids.client}`],
  'patch-oauth-client-v1': [
    `/oauth-clients/v1/${ids.client}`,
    { body: [{ op: 'add', path: '/scopes/-', value: 'auth-profiles:read' }] },
  ],
  'rotate-oauth-client-secret-v1': [`/oauth-clients/v1/${ids.client}/rotate-secret`, { body: { overlapHours: 1 } }],
  'create-bearer-token-v1': [`/oauth-clients/v1/${ids.client}/bearer-tokens`, { body: { source: 'hr' } }],
  'list-bearer-tokens-v1': [`/oauth-clients/v1/${ids.client}/bearer-tokens?count=true`],
  'delete-bearer-token-v1': [`/oauth-clients/v1/${ids.client}/bearer-tokens/${ids.bearerToken}`],
  'delete-oauth-client-v1': [`/oauth-clients/v1/${ids.client}`],
  'list-tenants-v1': ['/tenants/v1?count=true'],
  'get-tenant-v1': ['/tenants/v1/default'],
  'delete-tenant-v1': ['/tenants/v1/other', { headers: { 'x-confirm-tenant': 'other' } }],
  'list-identities-v1': ['/identities/v1?count=true'],
  'get-identity-v1': ['/identities/v1/i-cleo'],
  'list-entitlements-v1': ['/entitlements/v1?count=true'],
  'get-entitlement-v1': ['/entitlements/v1/e-pay'],
  'list-entitlement-holders-v1': ['/entitlements/v1/e-vendor/holders?count=true'],
  'list-access-profiles-v1': ['/access-profiles/v1'],
  'get-access-profile-v1': ['/access-profiles/v1/ap-vendor'],
  'list-access-profile-holders-v1': ['/access-profiles/v1/ap-vendor/holders'],
  'list-roles-v1': ['/roles/v1'],
  'get-role-v1': ['/roles/v1/r-buyer'],
  'list-role-holders-v1': ['/roles/v1/r-buyer/holders'],
  'list-identity-profiles-v1': ['/identity-profiles/v1'],
  'get-identity-profile-v1': ['/identity-profiles/v1/ip-emp'],
  'create-identity-v1': ['/identities/v1', { body: { id: 'i-one', uid: 'one', identityProfile: 'ip-emp' } }],
  'put-identity-v1': ['/identities/v1/i-one', { body: { uid: 'two', identityProfile: 'ip-emp' } }],
  'patch-identity-v1': ['/identities/v1/i-one', { body: [{ op: 'replace', path: '/email', value: 'a@example.com' }] }],
  'delete-identity-v1': ['/identities/v1/i-one'],
  'create-entitlement-v1': ['/entitlements/v1', { body: { id: 'e-one', name: 'One' } }],
  'put-entitlement-v1': ['/entitlements/v1/e-one', { body: { name: 'Two' } }],
  'patch-entitlement-v1': ['/entitlements/v1/e-one', { body: [{ op: 'replace', path: '/source', value: 'ERP' }] }],
  'delete-entitlement-v1': ['/entitlements/v1/e-one'],
  'create-access-profile-v1': ['/access-profiles/v1', { body: { id: 'ap-one', name: 'One', entitlements: ['e-pay'] } }],
  'put-access-profile-v1': ['/access-profiles/v1/ap-one', { body: { name: 'Two', entitlements: ['e-pay'] } }],
  'patch-access-profile-v1': ['/access-profiles/v1/ap-one', { body: [{ op: 'remove', path: '/entitlements/0' }] }],
  'delete-access-profile-v1': ['/access-profiles/v1/ap-one'],
  'create-role-v1': ['/roles/v1', { body: { id: 'r-one', name: 'One' } }],
  'put-role-v1': ['/roles/v1/r-one', { body: { name: 'Two' } }],
  'patch-role-v1': ['/roles/v1/r-one', { body: [{ op: 'add', path: '/entitlements/-', value: 'e-pay' }] }],
  'delete-role-v1': ['/roles/v1/r-one'],
  'create-identity-profile-v1': ['/identity-profiles/v1', { body: { id: 'ip-one', name: 'One' } }],
  'put-identity-profile-v1': ['/identity-profiles/v1/ip-one', { body: { name: 'Two' } }],
  'patch-identity-profile-v1': [
    '/identity-profiles/v1/ip-one',
    { body: [{ op: 'replace', path: '/authProfile/type', value: 'MFA' }] },
  ],
  'delete-identity-profile-v1': ['/identity-profiles/v1/ip-one'],
  'import-access-model-v1': [
    '/access-model/v1/import',
    {
      headers: { 'content-type': 'application/x-ndjson' },
      body: '{"kind":"sodPolicy","id":"p-1","delete":true}',
    },
  ],
  'export-access-model-v1': ['/access-model/v1/export'],
  'list-audit-events-v1': ['/audit-events/v1?count=true'],
  'export-audit-events-v1': ['/audit-events/v1/export'],
  'get-audit-head-v1': ['/audit-events/v1/head'],
  'list-events-v1': ['/events/v1'],
  'list-webhooks-v1': ['/webhooks/v1?count=true'],
  'create-webhook-v1': ['/webhooks/v1', { body: { name: 'x', url: 'https://example.com/a', types: ['sod.check.*'] } }],
  'get-webhook-v1': [`/webhooks/v1/${ids.webhook}`],
  'patch-webhook-v1': [
    `/webhooks/v1/${ids.webhook}`,
    { body: [{ op: 'replace', path: '/types', value: ['sod.policy.*'] }] },
  ],
  'rotate-webhook-secret-v1': [`/webhooks/v1/${ids.webhook}/rotate-secret`, { body: {} }],
  'list-webhook-deliveries-v1': [`/webhooks/v1/${ids.webhook}/deliveries?count=true`],
  'resend-webhook-delivery-v1': [`/webhooks/v1/${ids.webhook}/deliveries/${ids.delivery}/resend`, { body: {} }],
  'test-webhook-v1': [`/webhooks/v1/${ids.webhook}/test`, { body: {} }],
  'replay-webhook-v1': [`/webhooks/v1/${ids.webhook}/replay`, { body: { after: '0' } }],
  'delete-webhook-v1': [`/webhooks/v1/${ids.webhook}`],
});
