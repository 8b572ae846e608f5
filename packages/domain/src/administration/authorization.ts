import { type Forbidden, failure } from '../result/failure.ts';
import { fail, ok, type Result } from '../result/result.ts';
import type { Capability } from './capability.ts';

/** A scope that a client can be granted. */
export const SCOPES = [
  'access-model:manage',
  'access-model:read',
  'audit-events:read',
  'auth-org:manage',
  'auth-org:read',
  'auth-profiles:manage',
  'auth-profiles:read',
  'auth-users:manage',
  'auth-users:read',
  'events:read',
  'oauth-clients:manage',
  'sessions:manage',
  'sessions:read',
  'sod-exceptions:manage',
  'sod-exceptions:read',
  'sod-policies:manage',
  'sod-policies:read',
  'sod-violations:manage',
  'sod-violations:read',
  'tenants:manage',
  'ui-metadata:manage',
  'ui-metadata:read',
  'webhooks:manage',
] as const;

/** The name of a known scope. */
export type Scope = (typeof SCOPES)[number];

/** The verified client of one tenant, acting as an application (`identityId` null) or as an identity. */
export interface Caller {
  readonly tenant: string;
  readonly clientId: string;
  /** When the client was created. Null or left out for one of an external issuer, which the store does not know. */
  readonly clientCreated?: string | null;
  readonly scopes: ReadonlySet<string>;
  readonly identityId: string | null;
  /** The current capabilities of the identity; empty for an application. */
  readonly capabilities: readonly Capability[];
}

/** The kinds of resource in the audit log. */
export const AUDITED_RESOURCES = [
  'ACCESS_MODEL',
  'ACCESS_PROFILE',
  'AUDIT_EVENT',
  'AUTH_PROFILE',
  'AUTH_USER',
  'CONTROL',
  'ENTITLEMENT',
  'EVENT',
  'IDENTITY',
  'LOCKOUT_CONFIG',
  'NETWORK_CONFIG',
  'OAUTH_CLIENT',
  'ROLE',
  'SESSION',
  'SESSION_CONFIG',
  'SIGN_IN',
  'SOD_CHECK',
  'SOD_EXCEPTION',
  'SOD_POLICY',
  'SOD_REPORT',
  'SOD_VIOLATION',
  'UI_METADATA',
  'WEBHOOK',
] as const;

/** The kind of resource that an operation concerns. */
export type AuditedResource = (typeof AUDITED_RESOURCES)[number];

/** What an operation requires of its caller. */
export interface OperationRights {
  /** The caller needs one of these. */
  readonly scopes: readonly Scope[];
  /** A caller that acts as an identity needs one of these; it needs none where the list is empty. */
  readonly capabilities: readonly Capability[];
  /** The kind of resource, for the audit log. */
  readonly resource: AuditedResource;
  /**
   * What an identity needs for its own: for a target that is itself or that it owns. With `SCOPE_ONLY` one of the scopes and
   * no capability; with `NOTHING` neither; with `NOTHING_FOR_ROWS` neither, where the target is a list of which others than
   * administrators get their own rows only. Left out, the same as for everything else.
   */
  readonly forOwn?: 'SCOPE_ONLY' | 'NOTHING' | 'NOTHING_FOR_ROWS';
  /** Whether applications are refused. */
  readonly identitiesOnly?: boolean;
}

const POLICY_ADMINS = ['ORG_ADMIN', 'POLICY_ADMIN'] as const;
// Auditors read, and never change anything.
const POLICY_READERS = [...POLICY_ADMINS, 'das:ui-auditor'] as const;

/** The rights to everything about webhooks. */
export const MANAGE_WEBHOOKS: OperationRights = {
  scopes: ['webhooks:manage'],
  capabilities: ['ORG_ADMIN'],
  resource: 'WEBHOOK',
};

const readAuthOrg = (resource: AuditedResource) =>
  rightsOf(resource, ['auth-org:read', 'auth-org:manage'], ['ORG_ADMIN', 'HELPDESK']);
const manageAuthOrg = (resource: AuditedResource) => rightsOf(resource, ['auth-org:manage']);

const manageSignIn = rightsOf('AUTH_USER', ['auth-users:manage'], ['ORG_ADMIN', 'HELPDESK']);

/** The rights of every operation that needs a token, by operation id. */
export const OPERATION_RIGHTS = {
  'get-auth-user-v1': alsoByAuditors({
    ...rightsOf('AUTH_USER', ['auth-users:read', 'auth-users:manage'], ['ORG_ADMIN', 'HELPDESK']),
    self: true,
  }),
  'patch-auth-user-v1': rightsOf('AUTH_USER', ['auth-users:manage']),
  'create-sign-in-link-v1': manageSignIn,
  'get-credentials-v1': manageSignIn,
  'remove-credential-v1': manageSignIn,
  'remove-credentials-v1': manageSignIn,
  'unlock-auth-user-v1': manageSignIn,
  'get-profile-config-list-v1': readAuthProfiles,
  'get-profile-config-v1': readAuthProfiles,
  'patch-profile-config-v1': rightsOf('AUTH_PROFILE', ['auth-profiles:manage']),
  'get-auth-org-lockout-config-v1': readAuthOrg('LOCKOUT_CONFIG'),
  'patch-auth-org-lockout-config-v1': manageAuthOrg('LOCKOUT_CONFIG'),
  'get-auth-org-session-config-v1': readAuthOrg('SESSION_CONFIG'),
  'patch-auth-org-session-config-v1': manageAuthOrg('SESSION_CONFIG'),
  'get-auth-org-network-config-v1': readAuthOrg('NETWORK_CONFIG'),
  'set-auth-org-network-config-v1': manageAuthOrg('NETWORK_CONFIG'),
  'patch-auth-org-network-config-v1': manageAuthOrg('NETWORK_CONFIG'),
  'list-sessions-v1': { ...rightsOf('SESSION', ['sessions:read', 'sessions:manage']), own: 'LIST' },
  'end-session-v1': { ...rightsOf('SESSION', ['sessions:manage']), own: 'SELF' },
  'decide-sign-in-v1': rightsOf('SIGN_IN', ['auth-profiles:read', 'auth-profiles:manage'], ['ORG_ADMIN', 'HELPDESK']),
  'start-predict-sod-violations-v1': askSodViolations,
  'start-predict-sod-violations-batch-v1': askSodViolations,
  'start-violation-check-v1': useSodChecks,
  'get-violation-check-v1': useSodChecks,
  'get-violation-check-receipt-v1': useSodChecks,
  'start-sod-scan-v1': startSodReports,
  'start-sod-blast-radius-v1': startSodReports,
  'start-sod-dry-run-v1': startDryRuns,
  'list-sod-reports-v1': readSodReports,
  'get-sod-report-v1': readSodReports,
  'list-sod-report-violations-v1': readSodReports,
  'list-violations-v1': readSodViolations,
  'export-violations-v1': readSodViolations,
  'get-violations-summary-v1': readSodViolations,
  'get-violation-v1': { ...readSodViolations, self: true },
  'list-my-violations-v1': readOwnSodViolations,
  'reassign-violation-v1': { ...manageSodViolations, self: true },
  'apply-control-v1': { ...manageSodViolations, identitiesOnly: true },
  'list-sod-policies-v1': readSodPolicies,
  'create-sod-policy-v1': manageSodPolicies,
  'lint-sod-policies-v1': readSodPolicies,
  'get-sod-policy-v1': readSodPolicies,
  'put-sod-policy-v1': manageSodPolicies,
  'patch-sod-policy-v1': manageSodPolicies,
  'delete-sod-policy-v1': manageSodPolicies,
  'get-sod-policy-history-v1': { ...readAudit, resource: 'SOD_POLICY' },
  'list-sod-exceptions-v1': readSodExceptions,
  'create-sod-exception-v1': manageSodExceptions,
  'get-sod-exception-v1': readSodExceptions,
  'approve-sod-exception-v1': manageSodExceptions,
  'revoke-sod-exception-v1': manageSodExceptions,
  'list-controls-v1': readControls,
  'create-control-v1': manageControls,
  'get-control-v1': readControls,
  'put-control-v1': manageControls,
  'patch-control-v1': manageControls,
  'delete-control-v1': manageControls,
  'get-tenant-ui-metadata-v1': rightsOf('UI_METADATA', ['ui-metadata:read', 'ui-metadata:manage']),
  'set-tenant-ui-metadata-v1': rightsOf('UI_METADATA', ['ui-metadata:manage']),
  'create-oauth-client-v1': manageClients,
  'list-oauth-clients-v1': manageClients,
  'get-oauth-client-v1': manageClients,
  'patch-oauth-client-v1': manageClients,
  'delete-oauth-client-v1': manageClients,
  'rotate-oauth-client-secret-v1': manageClients,
  'list-identities-v1': readAccessModel('IDENTITY'),
  'get-identity-v1': { ...readAccessModel('IDENTITY'), self: true },
  'list-entitlements-v1': readAccessModel('ENTITLEMENT'),
  'get-entitlement-v1': readAccessModel('ENTITLEMENT'),
  'list-entitlement-holders-v1': readAccessModel('ENTITLEMENT'),
  'list-access-profiles-v1': readAccessModel('ACCESS_PROFILE'),
  'get-access-profile-v1': readAccessModel('ACCESS_PROFILE'),
  'list-access-profile-holders-v1': readAccessModel('ACCESS_PROFILE'),
  'list-roles-v1': readAccessModel('ROLE'),
  'get-role-v1': readAccessModel('ROLE'),
  'list-role-holders-v1': readAccessModel('ROLE'),
  // The audit log names an identity profile by its auth profile, which has the same id.
  'list-identity-profiles-v1': readAccessModel('AUTH_PROFILE'),
  'get-identity-profile-v1': readAccessModel('AUTH_PROFILE'),
  'import-access-model-v1': rightsOf('ACCESS_MODEL', ['access-model:manage']),
  'export-access-model-v1': rightsOf('ACCESS_MODEL', ['access-model:read', 'access-model:manage']),
  'list-audit-events-v1': readAudit,
  'export-audit-events-v1': readAudit,
  'get-audit-head-v1': readAudit,
  'list-events-v1': alsoByAuditors(rightsOf('EVENT', ['events:read'], POLICY_ADMINS)),
  'list-webhooks-v1': manageWebhooks,
  'create-webhook-v1': manageWebhooks,
  'get-webhook-v1': manageWebhooks,
  'patch-webhook-v1': manageWebhooks,
  'delete-webhook-v1': manageWebhooks,
  'rotate-webhook-secret-v1': manageWebhooks,
  'list-webhook-deliveries-v1': manageWebhooks,
  'resend-webhook-delivery-v1': manageWebhooks,
  'test-webhook-v1': manageWebhooks,
  'replay-webhook-v1': manageWebhooks,
} as const satisfies Record<string, OperationRights>;

/** The id of an operation that needs a token. */
export type OperationId = keyof typeof OPERATION_RIGHTS;

const RIGHTS_BY_ID: ReadonlyMap<string, OperationRights> = new Map(Object.entries(OPERATION_RIGHTS));

/**
 * Whether the caller may use an operation with these rights, whose target is or belongs to the identity `targetIdentityId`, if
 * given. Fails with `Forbidden`.
 */
export function authorize(
  { scopes, capabilities, forOwn, identitiesOnly = false }: OperationRights,
  caller: Caller,
  targetIdentityId?: string,
): Result<null, Forbidden> {
  const isIdentity = caller.identityId !== null;
  const isOwn = isIdentity && caller.identityId === targetIdentityId;
  if (isIdentity && (forOwn === 'NOTHING_FOR_ROWS' || (forOwn === 'NOTHING' && isOwn))) return ok(null);
  if (!scopes.some((scope) => caller.scopes.has(scope)))
    return fail(failure('Forbidden', '', `the access token needs the scope ${scopes.join(' or ')}`));
  if (!isIdentity)
    return identitiesOnly
      ? fail(failure('Forbidden', '', 'needs a client that acts as an identity: create one with identityId'))
      : ok(null);
  if (capabilities.length === 0 || (forOwn === 'SCOPE_ONLY' && isOwn)) return ok(null);
  return capabilities.some((capability) => caller.capabilities.includes(capability))
    ? ok(null)
    : fail(failure('Forbidden', '', `the identity of the caller needs the capability ${capabilities.join(' or ')}`));
}

/** Whether a caller may see and end what belongs to others, for operations that need less for an identity's own. */
export function mayAdminister({ scopes, capabilities }: OperationRights, caller: Caller): boolean {
  const hasScope = scopes.some((scope) => caller.scopes.has(scope));
  return hasScope && (caller.identityId === null || capabilities.some((each) => caller.capabilities.includes(each)));
}

/** The longest name of a tenant, in characters. */
export const TENANT_NAME_LENGTH_MAX = 63;

/** Whether a text is a valid name of a tenant: 1 to 63 of `a-z 0-9 -`. */
export const isTenantName = (text: string): boolean =>
  text.length <= TENANT_NAME_LENGTH_MAX && /^[a-z0-9-]+$/.test(text);
