import { type Cause, type Forbidden, failure } from '../result/failure.ts';
import { fail, ok, type Result } from '../result/result.ts';
import type { Capability } from './capability.ts';

/** A scope that a client can be granted. */
export const SCOPES = [
  'access-model:manage',
  'access-model:read',
  'audit-events:read',
  'auth-profiles:manage',
  'auth-profiles:read',
  'auth-users:manage',
  'auth-users:read',
  'oauth-clients:manage',
  'sod-exceptions:manage',
  'sod-exceptions:read',
  'sod-policies:manage',
  'sod-policies:read',
  'sod-violations:manage',
  'sod-violations:read',
  'tenants:manage',
  'ui-metadata:manage',
  'ui-metadata:read',
] as const;

/** The name of a known scope. */
export type Scope = (typeof SCOPES)[number];

/** Who calls: the verified client of one tenant, acting as an application (`identityId` null) or as an identity. */
export interface Caller {
  readonly tenant: string;
  readonly clientId: string;
  readonly scopes: ReadonlySet<string>;
  readonly identityId: string | null;
  /** Capabilities that the identity has at this moment; empty for an application. */
  readonly capabilities: readonly Capability[];
}

/** What an operation is about. */
export const AUDITED_RESOURCES = [
  'ACCESS_MODEL',
  'AUDIT_EVENT',
  'AUTH_PROFILE',
  'AUTH_USER',
  'OAUTH_CLIENT',
  'SOD_CHECK',
  'SOD_EXCEPTION',
  'SOD_POLICY',
  'SOD_REPORT',
  'SOD_VIOLATION',
  'UI_METADATA',
] as const;

/** The kind of a resource in the audit log. */
export type AuditedResource = (typeof AUDITED_RESOURCES)[number];

/** What an operation asks of its caller. */
export interface OperationRights {
  /** Any one is enough. */
  readonly scopes: readonly Scope[];
  /** Any one is enough for a caller that acts as an identity. */
  readonly capabilities: readonly Capability[];
  /** Whether an identity needs no capability for itself as the target. */
  readonly self: boolean;
  /** What it is about, for the audit log. */
  readonly resource: AuditedResource;
  /** Whether nobody may use it but who acts as an identity. */
  readonly identitiesOnly?: true;
}

const readAudit = {
  scopes: ['audit-events:read'],
  capabilities: ['ORG_ADMIN'],
  self: false,
  resource: 'AUDIT_EVENT',
} as const;
const manageClients = {
  scopes: ['oauth-clients:manage'],
  capabilities: ['ORG_ADMIN'],
  self: false,
  resource: 'OAUTH_CLIENT',
} as const;
const readAuthProfiles = {
  scopes: ['auth-profiles:read', 'auth-profiles:manage'],
  capabilities: ['ORG_ADMIN'],
  self: false,
  resource: 'AUTH_PROFILE',
} as const;
const readSodPolicies = {
  scopes: ['sod-policies:read', 'sod-policies:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  self: false,
  resource: 'SOD_POLICY',
} as const;
const manageSodPolicies = { ...readSodPolicies, scopes: ['sod-policies:manage'] } as const;
const readSodViolations = {
  scopes: ['sod-violations:read', 'sod-violations:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  self: false,
  resource: 'SOD_VIOLATION',
} as const;
const readSodExceptions = {
  scopes: ['sod-exceptions:read', 'sod-exceptions:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  self: false,
  resource: 'SOD_EXCEPTION',
  identitiesOnly: true,
} as const;
const manageSodExceptions = { ...readSodExceptions, scopes: ['sod-exceptions:manage'] } as const;

const aboutReports = { resource: 'SOD_REPORT' } as const;

/** The rights of every operation that needs a token, by operation id. */
export const OPERATION_RIGHTS = {
  'get-auth-user-v1': {
    scopes: ['auth-users:read', 'auth-users:manage'],
    capabilities: ['ORG_ADMIN', 'HELPDESK'],
    self: true,
    resource: 'AUTH_USER',
  },
  'patch-auth-user-v1': {
    scopes: ['auth-users:manage'],
    capabilities: ['ORG_ADMIN'],
    self: false,
    resource: 'AUTH_USER',
  },
  'get-profile-config-list-v1': readAuthProfiles,
  'get-profile-config-v1': readAuthProfiles,
  'patch-profile-config-v1': {
    scopes: ['auth-profiles:manage'],
    capabilities: ['ORG_ADMIN'],
    self: false,
    resource: 'AUTH_PROFILE',
  },
  'start-predict-sod-violations-v1': readSodViolations,
  'start-predict-sod-violations-batch-v1': readSodViolations,
  'start-violation-check-v1': { ...readSodViolations, resource: 'SOD_CHECK' },
  'get-violation-check-v1': { ...readSodViolations, resource: 'SOD_CHECK' },
  'start-sod-scan-v1': { ...readSodViolations, ...aboutReports },
  'start-sod-blast-radius-v1': { ...readSodViolations, ...aboutReports },
  'start-sod-dry-run-v1': { ...readSodPolicies, ...aboutReports },
  'get-sod-report-v1': { ...readSodViolations, ...aboutReports },
  'list-sod-report-violations-v1': { ...readSodViolations, ...aboutReports },
  'list-sod-policies-v1': readSodPolicies,
  'create-sod-policy-v1': manageSodPolicies,
  'lint-sod-policies-v1': readSodPolicies,
  'get-sod-policy-v1': readSodPolicies,
  'put-sod-policy-v1': manageSodPolicies,
  'patch-sod-policy-v1': manageSodPolicies,
  'delete-sod-policy-v1': manageSodPolicies,
  'list-sod-exceptions-v1': readSodExceptions,
  'create-sod-exception-v1': manageSodExceptions,
  'get-sod-exception-v1': readSodExceptions,
  'approve-sod-exception-v1': manageSodExceptions,
  'revoke-sod-exception-v1': manageSodExceptions,
  'get-tenant-ui-metadata-v1': {
    scopes: ['ui-metadata:read', 'ui-metadata:manage'],
    capabilities: ['ORG_ADMIN'],
    self: false,
    resource: 'UI_METADATA',
  },
  'set-tenant-ui-metadata-v1': {
    scopes: ['ui-metadata:manage'],
    capabilities: ['ORG_ADMIN'],
    self: false,
    resource: 'UI_METADATA',
  },
  'create-oauth-client-v1': manageClients,
  'list-oauth-clients-v1': manageClients,
  'get-oauth-client-v1': manageClients,
  'delete-oauth-client-v1': manageClients,
  'import-access-model-v1': {
    scopes: ['access-model:manage'],
    capabilities: ['ORG_ADMIN'],
    self: false,
    resource: 'ACCESS_MODEL',
  },
  'export-access-model-v1': {
    scopes: ['access-model:read', 'access-model:manage'],
    capabilities: ['ORG_ADMIN'],
    self: false,
    resource: 'ACCESS_MODEL',
  },
  'list-audit-events-v1': readAudit,
  'export-audit-events-v1': readAudit,
  'get-audit-head-v1': readAudit,
} as const satisfies Record<string, OperationRights>;

/** The id of an operation that needs a token. */
export type OperationId = keyof typeof OPERATION_RIGHTS;

const RIGHTS_BY_ID: ReadonlyMap<string, OperationRights> = new Map(Object.entries(OPERATION_RIGHTS));

/** Whether the caller may use an operation, on the identity `targetId` where it has one; `Forbidden` otherwise, also for an operation that is not listed. */
export function authorize(operationId: string, caller: Caller, targetId?: string): Result<null, Forbidden> {
  const rights = RIGHTS_BY_ID.get(operationId);
  if (rights === undefined) return fail(failure('Forbidden', '', 'nobody may use this operation'));
  if (!rights.scopes.some((scope) => caller.scopes.has(scope))) {
    return fail(failure('Forbidden', '', `needs the scope ${rights.scopes.join(' or ')}`));
  }
  if (caller.identityId === null && rights.identitiesOnly === true) {
    return fail(failure('Forbidden', '', 'needs a caller that acts as an identity, not an application'));
  }
  if (caller.identityId === null || (rights.self && caller.identityId === targetId)) return ok(null);
  if (!rights.capabilities.some((capability) => caller.capabilities.includes(capability))) {
    return fail(failure('Forbidden', '', `needs the capability ${rights.capabilities.join(' or ')}`));
  }
  return ok(null);
}

/** Characters of a tenant's name. */
export const TENANT_NAME_LENGTH_MAX = 63;

/** Whether a text can be the name of a tenant: 1 to 63 of `a-z 0-9 -`. */
export const isTenantName = (text: string): boolean =>
  text.length <= TENANT_NAME_LENGTH_MAX && /^[a-z0-9-]+$/.test(text);

/** Nobody creates a client with a scope that it lacks itself, nor one of another tenant without `tenants:manage`; null when the caller may. */
export function authorizeNewClient(request: {
  readonly scopes: readonly Scope[];
  readonly tenant: string;
  readonly caller: Caller;
}): Forbidden | null {
  const { scopes, tenant, caller } = request;
  const causes: Cause[] = [];
  for (const [position, scope] of scopes.entries()) {
    if (!caller.scopes.has(scope)) causes.push({ at: `scopes[${position}]`, text: 'the caller lacks it itself' });
  }
  if (tenant !== caller.tenant && !caller.scopes.has('tenants:manage')) {
    causes.push({ at: 'tenant', text: 'another tenant needs the scope tenants:manage' });
  }
  return causes.length === 0 ? null : { type: 'Forbidden', causes };
}
