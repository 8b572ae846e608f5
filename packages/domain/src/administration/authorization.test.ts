import { describe, expect, test } from 'vitest';
import { authorize, type Caller, isTenantName, mayAdminister, type OperationRights, SCOPES } from './authorization.ts';
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

const USERS: OperationRights = {
  scopes: ['auth-users:read', 'auth-users:manage'],
  capabilities: ['ORG_ADMIN', 'HELPDESK'],
  resource: 'AUTH_USER',
};

/** Rights of every shape, and what an identity needs for its own: scope and capability, the scope alone, or nothing. */
const SHAPES: readonly {
  readonly title: string;
  readonly rights: OperationRights;
  readonly own: 'both' | 'scope' | 'nothing';
  readonly rows?: true;
  readonly applications: boolean;
}[] = [
  { title: 'plain', rights: USERS, own: 'both', applications: true },
  { title: 'the scope for its own', rights: { ...USERS, forOwn: 'SCOPE_ONLY' }, own: 'scope', applications: true },
  { title: 'nothing for its own', rights: { ...USERS, forOwn: 'NOTHING' }, own: 'nothing', applications: true },
  {
    title: 'nothing for its own rows',
    rights: { ...USERS, forOwn: 'NOTHING_FOR_ROWS' },
    own: 'nothing',
    rows: true,
    applications: true,
  },
  { title: 'no capability', rights: { ...USERS, capabilities: [] }, own: 'scope', applications: true },
  { title: 'identities only', rights: { ...USERS, identitiesOnly: true }, own: 'both', applications: false },
  {
    title: 'identities only, without a capability',
    rights: { ...USERS, identitiesOnly: true, capabilities: [] },
    own: 'scope',
    applications: false,
  },
];

const SCOPE_SETS: readonly (readonly string[])[] = [
  [],
  SCOPES,
  ['sp:scopes:all', '*', ''],
  ...SCOPES.map((scope) => [scope]),
  ...SCOPES.map((scope) => SCOPES.filter((other) => other !== scope)),
];
const subsets = <T>([first, ...rest]: readonly T[]): T[][] =>
  first === undefined ? [[]] : subsets(rest).flatMap((set) => [set, [first, ...set]]);
const CAPABILITY_SETS: readonly (readonly Capability[])[] = [
  ...subsets<Capability>(['ORG_ADMIN', 'HELPDESK', 'POLICY_ADMIN', 'das:ui-auditor', 'INTERNAL']),
  ...CAPABILITIES.map((capability) => [capability]),
  CAPABILITIES,
];

test.each(SHAPES)('rights of this shape allow exactly the callers that they name: $title', (shape) => {
  const { rights, own, rows = false, applications } = shape;
  for (const scopes of SCOPE_SETS) {
    const byScope = rights.scopes.some((scope) => scopes.includes(scope));
    for (const targetId of [undefined, 'i-1', 'i-2']) {
      const application = caller({ scopes: new Set(scopes) });
      expect(authorize(rights, application, targetId).ok, `application with ${scopes}`).toBe(byScope && applications);
      for (const capabilities of CAPABILITY_SETS) {
        const byCapability =
          rights.capabilities.length === 0 || capabilities.some((name) => rights.capabilities.includes(name));
        const isOwn = rows || targetId === 'i-1';
        const allowed = isOwn && own === 'nothing' ? true : byScope && (byCapability || (isOwn && own === 'scope'));
        expect(
          authorize(rights, caller({ scopes: new Set(scopes), identityId: 'i-1', capabilities }), targetId).ok,
          `i-1 with ${scopes} and ${capabilities} for ${targetId}`,
        ).toBe(allowed);
      }
    }
  }
});

describe('a refusal names', () => {
  test.each([
    [
      'the missing scope',
      USERS,
      caller({ scopes: new Set() }),
      'the access token needs the scope auth-users:read or auth-users:manage',
    ],
    [
      'the missing capability',
      USERS,
      caller({ identityId: 'i-1' }),
      'the identity of the caller needs the capability ORG_ADMIN or HELPDESK',
    ],
    [
      'that a client must act as an identity',
      { ...USERS, identitiesOnly: true },
      caller(),
      'needs a client that acts as an identity: create one with identityId',
    ],
  ])('%s', (_, rights, by, text) => {
    expect(authorize(rights, by, 'i-2')).toEqual({
      ok: false,
      failure: { type: 'Forbidden', causes: [{ at: '', text }] },
    });
  });
});

test.each<[string, boolean, Partial<Caller>]>([
  ['an application with the scope', true, {}],
  ['an application without it', false, { scopes: new Set(['auth-org:read']) }],
  ['an identity with a capability', true, { identityId: 'i-1', capabilities: ['HELPDESK'] }],
  ['an identity without one', false, { identityId: 'i-1' }],
  ['an identity without the scope', false, { identityId: 'i-1', capabilities: ['ORG_ADMIN'], scopes: new Set() }],
])('whether what belongs to others is administered by %s: %s', (_, expected, change) => {
  expect(mayAdminister({ ...USERS, forOwn: 'NOTHING' }, caller(change))).toBe(expected);
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
