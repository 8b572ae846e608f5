import { expect, test } from 'vitest';
import { authorize, type Caller, isTenantName, OPERATION_RIGHTS, SCOPES } from './authorization.ts';
import { CAPABILITIES, type Capability } from './capability.ts';

/** The rights that the service promises: any one scope, any one capability, and whether an identity needs none for itself (`self`), not even a scope (`own`, or `own list` for a list of its own), or an application may not (`identities`). */
const PROMISED = `
  get-auth-user-v1                | auth-users:read auth-users:manage         | ORG_ADMIN HELPDESK das:ui-auditor | self
  patch-auth-user-v1              | auth-users:manage                         | ORG_ADMIN
  create-sign-in-link-v1          | auth-users:manage                         | ORG_ADMIN HELPDESK
  get-credentials-v1              | auth-users:manage                         | ORG_ADMIN HELPDESK
  remove-credential-v1            | auth-users:manage                         | ORG_ADMIN HELPDESK
  remove-credentials-v1           | auth-users:manage                         | ORG_ADMIN HELPDESK
  unlock-auth-user-v1             | auth-users:manage                         | ORG_ADMIN HELPDESK
  list-sessions-v1                | sessions:read sessions:manage             | ORG_ADMIN | own list
  end-session-v1                  | sessions:manage                           | ORG_ADMIN | own
  get-profile-config-list-v1      | auth-profiles:read auth-profiles:manage   | ORG_ADMIN das:ui-auditor
  get-profile-config-v1           | auth-profiles:read auth-profiles:manage   | ORG_ADMIN das:ui-auditor
  patch-profile-config-v1         | auth-profiles:manage                      | ORG_ADMIN
  get-auth-org-lockout-config-v1  | auth-org:read auth-org:manage             | ORG_ADMIN HELPDESK
  patch-auth-org-lockout-config-v1 | auth-org:manage                          | ORG_ADMIN
  get-auth-org-session-config-v1  | auth-org:read auth-org:manage             | ORG_ADMIN HELPDESK
  patch-auth-org-session-config-v1 | auth-org:manage                          | ORG_ADMIN
  get-auth-org-network-config-v1  | auth-org:read auth-org:manage             | ORG_ADMIN HELPDESK
  set-auth-org-network-config-v1  | auth-org:manage                           | ORG_ADMIN
  patch-auth-org-network-config-v1 | auth-org:manage                          | ORG_ADMIN
  decide-sign-in-v1               | auth-profiles:read auth-profiles:manage   | ORG_ADMIN HELPDESK
  start-predict-sod-violations-v1 | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-predict-sod-violations-batch-v1 | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-violation-check-v1        | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  get-violation-check-v1          | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  get-violation-check-receipt-v1  | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-sod-scan-v1               | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-sod-blast-radius-v1       | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-sod-dry-run-v1            | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN
  list-sod-reports-v1             | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  get-sod-report-v1               | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  list-sod-report-violations-v1   | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  list-violations-v1              | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  export-violations-v1            | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  get-violations-summary-v1       | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  get-violation-v1                | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor | self
  list-my-violations-v1           | sod-violations:read sod-violations:manage | | identities
  reassign-violation-v1           | sod-violations:manage                     | ORG_ADMIN POLICY_ADMIN | self
  apply-control-v1                | sod-violations:manage                     | ORG_ADMIN POLICY_ADMIN | identities
  list-sod-policies-v1            | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  create-sod-policy-v1            | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  lint-sod-policies-v1            | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  get-sod-policy-v1               | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  put-sod-policy-v1               | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  patch-sod-policy-v1             | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  delete-sod-policy-v1            | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  get-sod-policy-history-v1       | audit-events:read                         | ORG_ADMIN das:ui-auditor
  list-sod-exceptions-v1          | sod-exceptions:read sod-exceptions:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor | identities
  create-sod-exception-v1         | sod-exceptions:manage                     | ORG_ADMIN POLICY_ADMIN | identities
  get-sod-exception-v1            | sod-exceptions:read sod-exceptions:manage | ORG_ADMIN POLICY_ADMIN das:ui-auditor | identities
  approve-sod-exception-v1        | sod-exceptions:manage                     | ORG_ADMIN POLICY_ADMIN | identities
  revoke-sod-exception-v1         | sod-exceptions:manage                     | ORG_ADMIN POLICY_ADMIN | identities
  list-controls-v1                | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  create-control-v1               | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  get-control-v1                  | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  put-control-v1                  | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  patch-control-v1                | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  delete-control-v1               | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  get-tenant-ui-metadata-v1       | ui-metadata:read ui-metadata:manage       | ORG_ADMIN
  set-tenant-ui-metadata-v1       | ui-metadata:manage                        | ORG_ADMIN
  create-oauth-client-v1          | oauth-clients:manage                      | ORG_ADMIN
  list-oauth-clients-v1           | oauth-clients:manage                      | ORG_ADMIN
  get-oauth-client-v1             | oauth-clients:manage                      | ORG_ADMIN
  patch-oauth-client-v1           | oauth-clients:manage                      | ORG_ADMIN
  rotate-oauth-client-secret-v1   | oauth-clients:manage                      | ORG_ADMIN
  delete-oauth-client-v1          | oauth-clients:manage                      | ORG_ADMIN
  list-identities-v1              | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  get-identity-v1                 | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor | self
  list-entitlements-v1            | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  get-entitlement-v1              | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  list-entitlement-holders-v1     | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  list-access-profiles-v1         | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  get-access-profile-v1           | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  list-access-profile-holders-v1  | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  list-roles-v1                   | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  get-role-v1                     | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  list-role-holders-v1            | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  list-identity-profiles-v1       | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  get-identity-profile-v1         | access-model:read access-model:manage     | ORG_ADMIN POLICY_ADMIN HELPDESK das:ui-auditor
  import-access-model-v1          | access-model:manage                       | ORG_ADMIN
  export-access-model-v1          | access-model:read access-model:manage     | ORG_ADMIN
  list-audit-events-v1            | audit-events:read                         | ORG_ADMIN das:ui-auditor
  export-audit-events-v1          | audit-events:read                         | ORG_ADMIN das:ui-auditor
  get-audit-head-v1               | audit-events:read                         | ORG_ADMIN das:ui-auditor
  list-events-v1                  | events:read                               | ORG_ADMIN POLICY_ADMIN das:ui-auditor
  list-webhooks-v1                | webhooks:manage                           | ORG_ADMIN
  create-webhook-v1               | webhooks:manage                           | ORG_ADMIN
  get-webhook-v1                  | webhooks:manage                           | ORG_ADMIN
  patch-webhook-v1                | webhooks:manage                           | ORG_ADMIN
  delete-webhook-v1               | webhooks:manage                           | ORG_ADMIN
  rotate-webhook-secret-v1        | webhooks:manage                           | ORG_ADMIN
  list-webhook-deliveries-v1      | webhooks:manage                           | ORG_ADMIN
  resend-webhook-delivery-v1      | webhooks:manage                           | ORG_ADMIN
  test-webhook-v1                 | webhooks:manage                           | ORG_ADMIN
  replay-webhook-v1               | webhooks:manage                           | ORG_ADMIN
`
  .trim()
  .split('\n')
  .map((row) => {
    const [operationId = '', scopes = '', capabilities = '', who] = row.split('|').map((cell) => cell.trim());
    return {
      operationId,
      scopes: scopes.split(' '),
      capabilities: capabilities === '' ? [] : capabilities.split(' '),
      self: who === 'self',
      applications: who !== 'identities',
      own: who?.startsWith('own') ? who : null,
    };
  });

const caller = (change: Partial<Caller> = {}): Caller => ({
  tenant: 'acme',
  clientId: 'c-1',
  scopes: new Set(SCOPES),
  identityId: null,
  capabilities: [],
  ...change,
});

const subsets = <T>([first, ...rest]: readonly T[]): T[][] =>
  first === undefined ? [[]] : subsets(rest).flatMap((set) => [set, [first, ...set]]);

const SCOPE_SETS: readonly (readonly string[])[] = [
  [],
  SCOPES,
  ['sp:scopes:all', '*', ''],
  ...SCOPES.map((scope) => [scope]),
  ...SCOPES.map((scope) => SCOPES.filter((other) => other !== scope)),
];
const DECIDING = CAPABILITIES.filter((name) => PROMISED.some(({ capabilities }) => capabilities.includes(name)));
const CAPABILITY_SETS: readonly (readonly Capability[])[] = [
  ...subsets(DECIDING),
  ...subsets(DECIDING).map((set): Capability[] => [...set, 'INTERNAL']),
  ...CAPABILITIES.map((capability) => [capability]),
  CAPABILITIES,
  CAPABILITIES.filter((capability) => !DECIDING.includes(capability)),
];

test('the table lists exactly the promised operations', () => {
  expect(Object.keys(OPERATION_RIGHTS).toSorted()).toEqual(PROMISED.map(({ operationId }) => operationId).toSorted());
});

test.each(PROMISED)('$operationId is allowed exactly to the promised callers', (promised) => {
  const { operationId, self, applications, own } = promised;
  const allowed = (by: Caller, targetId?: string): boolean => authorize(operationId, by, targetId).ok;

  for (const scopes of SCOPE_SETS) {
    const byScope = promised.scopes.some((scope) => scopes.includes(scope));
    for (const targetId of [undefined, 'i-1', 'i-2']) {
      const application = caller({ scopes: new Set(scopes) });
      expect(allowed(application, targetId), `application with ${scopes}`).toBe(byScope && applications);
      for (const capabilities of CAPABILITY_SETS) {
        const byCapability =
          promised.capabilities.length === 0 || capabilities.some((name) => promised.capabilities.includes(name));
        const bySelf = self && targetId === 'i-1';
        const isOwn = own === 'own list' || (own === 'own' && targetId === 'i-1');
        expect(
          allowed(caller({ scopes: new Set(scopes), identityId: 'i-1', capabilities }), targetId),
          `i-1 with ${scopes} and ${capabilities} for ${targetId}`,
        ).toBe(isOwn || (byScope && (byCapability || bySelf)));
      }
    }
  }
});

test('an auditor changes and starts nothing', () => {
  const auditor = caller({ identityId: 'i-1', capabilities: ['das:ui-auditor'] });
  const allowed = Object.keys(OPERATION_RIGHTS).filter((operationId) => authorize(operationId, auditor).ok);
  expect(allowed.filter((operationId) => !/^(get|list|export|lint)-/.test(operationId))).toEqual([]);
});

test.each(['', 'get-auth-user', 'GET-AUTH-USER-V1', 'constructor', '__proto__', 'toString'])(
  'an operation that is not listed is denied to every caller: %j',
  (operationId) => {
    const everything = caller({ identityId: 'i-1', capabilities: CAPABILITIES });
    expect(authorize(operationId, caller())).toMatchObject({ ok: false, failure: { type: 'Forbidden' } });
    expect(authorize(operationId, everything, 'i-1')).toMatchObject({ ok: false, failure: { type: 'Forbidden' } });
  },
);

test('a refusal names the missing right', () => {
  expect(authorize('get-auth-user-v1', caller({ scopes: new Set() }))).toMatchObject({
    failure: {
      type: 'Forbidden',
      causes: [{ text: 'the access token needs the scope auth-users:read or auth-users:manage' }],
    },
  });
  expect(authorize('get-auth-user-v1', caller({ identityId: 'i-1' }), 'i-2')).toMatchObject({
    failure: {
      type: 'Forbidden',
      causes: [{ text: 'the identity of the caller needs the capability ORG_ADMIN or HELPDESK or das:ui-auditor' }],
    },
  });
});

test.each(['a', 'acme', 'a-1', '-', '0', 'x'.repeat(63)])('%s is a valid name of a tenant', (name) => {
  expect(isTenantName(name)).toBe(true);
});

test.each(['', 'Acme', 'a.b', 'a_b', 'a b', 'acme\n', 'é', 'x'.repeat(64)])(
  '%j is not a valid name of a tenant',
  (name) => {
    expect(isTenantName(name)).toBe(false);
  },
);
