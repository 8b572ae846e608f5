import { type Forbidden, failure } from '../basics/result/failure.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
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
  'authzen:evaluate',
  'events:read',
  'oauth-clients:manage',
  'scim:manage',
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
  /** The version of the secret that the token was made with; null or left out where it is not of a client that the store knows. */
  readonly secretVersion?: number | null;
  /** When a token of an external issuer was issued, in ms since 1970; left out for other callers. */
  readonly issuedMs?: number;
  readonly scopes: ReadonlySet<string>;
  readonly identityId: string | null;
  /** The current capabilities of the identity; empty for an application. */
  readonly capabilities: readonly Capability[];
  /** Omitted for a client with a token. */
  readonly sessionId?: string;
  /** When a factor was proven last in the session that calls, in ms since 1970; left out for a client with a token. */
  readonly provenMs?: number;
  /** Whether a session, or a client with this mark, made the client that calls: it has the limits of a session. */
  readonly isSessionBound?: boolean;
}

/** Whether a session calls, or a client that a session has made. */
export const hasSessionLimits = ({ provenMs, isSessionBound = false }: Pick<Caller, 'provenMs' | 'isSessionBound'>) =>
  provenMs !== undefined || isSessionBound;

/** A proof of a factor allows a session changes of the ways in for so long. */
export const PROOF_MS = 300_000;

/** The id of the caller: of the identity, or of the client where an application calls. */
export const authorOf = ({ identityId, clientId }: Pick<Caller, 'identityId' | 'clientId'>): string =>
  identityId ?? clientId;

/** The kinds of resource in the audit log. */
export const AUDITED_RESOURCES = [
  'ACCESS_MODEL',
  'ACCESS_PROFILE',
  'ACCOUNT',
  'AUDIT_EVENT',
  'AUTH_PROFILE',
  'AUTH_USER',
  'BRANDING',
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
  'SIGNING_KEY',
  'SIGN_IN',
  'SOD_CHECK',
  'SOD_EXCEPTION',
  'SOD_POLICY',
  'SOD_REPORT',
  'SOD_RESERVATION',
  'SOD_VIOLATION',
  'SOURCE',
  'TENANT',
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
  /** Whether identities are refused, whatever their capabilities: of operations on tenants. */
  readonly applicationsOnly?: boolean;
  /** Whether a session needs a factor that was proven within the last five minutes. */
  readonly freshProof?: boolean;
}

const POLICY_ADMINS = ['ORG_ADMIN', 'POLICY_ADMIN'] as const;
// Auditors read, and never change anything.
const POLICY_READERS = [...POLICY_ADMINS, 'das:ui-auditor'] as const;

/** The rights to everything that auth users sign in with, and to the links with which they set it. */
export const MANAGE_WAYS_IN: OperationRights = {
  scopes: ['auth-users:manage'],
  capabilities: ['ORG_ADMIN', 'HELPDESK'],
  resource: 'AUTH_USER',
};

/** The rights to operations on tenants. */
export const MANAGE_TENANTS: OperationRights = {
  scopes: ['tenants:manage'],
  capabilities: [],
  resource: 'TENANT',
  applicationsOnly: true,
};

/** The rights to everything about webhooks. */
export const MANAGE_WEBHOOKS: OperationRights = {
  scopes: ['webhooks:manage'],
  capabilities: ['ORG_ADMIN'],
  resource: 'WEBHOOK',
};

/** The rights to read the resources of which events tell, by kind: who may not read a resource gets no event of it. */
export const RIGHTS_TO_READ = {
  ACCESS_MODEL: {
    scopes: ['access-model:read', 'access-model:manage'],
    capabilities: ['ORG_ADMIN'],
    resource: 'ACCESS_MODEL',
  },
  AUTH_PROFILE: {
    scopes: ['auth-profiles:read', 'auth-profiles:manage'],
    capabilities: ['ORG_ADMIN', 'das:ui-auditor'],
    resource: 'AUTH_PROFILE',
  },
  AUTH_USER: {
    scopes: ['auth-users:read', 'auth-users:manage'],
    capabilities: ['ORG_ADMIN', 'HELPDESK', 'das:ui-auditor'],
    resource: 'AUTH_USER',
  },
  OAUTH_CLIENT: { scopes: ['oauth-clients:manage'], capabilities: ['ORG_ADMIN'], resource: 'OAUTH_CLIENT' },
  SOD_CHECK: {
    scopes: ['sod-violations:read', 'sod-violations:manage'],
    capabilities: POLICY_ADMINS,
    resource: 'SOD_CHECK',
  },
  SOD_EXCEPTION: {
    scopes: ['sod-exceptions:read', 'sod-exceptions:manage'],
    capabilities: POLICY_READERS,
    resource: 'SOD_EXCEPTION',
    identitiesOnly: true,
  },
  SOD_POLICY: {
    scopes: ['sod-policies:read', 'sod-policies:manage'],
    capabilities: POLICY_READERS,
    resource: 'SOD_POLICY',
  },
  SOD_REPORT: {
    scopes: ['sod-violations:read', 'sod-violations:manage'],
    capabilities: POLICY_READERS,
    resource: 'SOD_REPORT',
  },
  SOD_RESERVATION: {
    scopes: ['sod-violations:read', 'sod-violations:manage'],
    capabilities: POLICY_ADMINS,
    resource: 'SOD_RESERVATION',
  },
  SOD_VIOLATION: {
    scopes: ['sod-violations:read', 'sod-violations:manage'],
    capabilities: POLICY_READERS,
    resource: 'SOD_VIOLATION',
  },
  UI_METADATA: {
    scopes: ['ui-metadata:read', 'ui-metadata:manage'],
    capabilities: ['ORG_ADMIN'],
    resource: 'UI_METADATA',
  },
  WEBHOOK: MANAGE_WEBHOOKS,
} as const satisfies Partial<Record<AuditedResource, OperationRights>>;

/** The rights to decisions and searches of AuthZEN. */
export const EVALUATE: OperationRights = {
  scopes: ['authzen:evaluate'],
  capabilities: POLICY_READERS,
  resource: 'SOD_VIOLATION',
};

/** What permits a request. */
export interface Authorization {
  readonly rights: OperationRights;
  readonly caller: Caller;
  /** The identity that the target of the operation is or belongs to, where the caller may need less for its own. */
  readonly targetIdentityId?: string | undefined;
}

/** Every identity may change its own account. */
export const OWN_ACCOUNT: OperationRights = { scopes: [], capabilities: [], resource: 'AUTH_USER', forOwn: 'NOTHING' };

/**
 * Whether the caller may use an operation with these rights, whose target is or belongs to the identity `targetIdentityId`, if
 * given. Fails with `Forbidden`.
 */
export function authorize(
  { scopes, capabilities, forOwn, identitiesOnly = false, applicationsOnly = false }: OperationRights,
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
  if (applicationsOnly)
    return fail(failure('Forbidden', '', 'needs a client that is an application: create one without identityId'));
  if (capabilities.length === 0 || (forOwn === 'SCOPE_ONLY' && isOwn)) return ok(null);
  return capabilities.some((capability) => caller.capabilities.includes(capability))
    ? ok(null)
    : fail(failure('Forbidden', '', `the identity of the caller needs the capability ${capabilities.join(' or ')}`));
}

/** Whether a session that calls an operation has proven a factor lately, where the operation needs that. Fails with `Forbidden`. */
export const authorizeProof = (
  { freshProof = false }: OperationRights,
  { provenMs }: Caller,
  nowMs: number,
): Result<null, Forbidden> =>
  !freshProof || provenMs === undefined || nowMs - provenMs < PROOF_MS
    ? ok(null)
    : fail(
        failure(
          'Forbidden',
          '',
          'the session needs a fresh proof of a factor: confirm at /account/confirm, which counts for five minutes',
        ),
      );

/** Whether a caller may see and end what belongs to others, for operations that need less for an identity's own. */
export function mayAdminister({ scopes, capabilities }: OperationRights, caller: Caller): boolean {
  const hasScope = scopes.some((scope) => caller.scopes.has(scope));
  return hasScope && (caller.identityId === null || capabilities.some((each) => caller.capabilities.includes(each)));
}

/** The longest name of a tenant, in characters. */
export const TENANT_NAME_LENGTH_MAX = 63;

/** The name of a tenant: 1 to 63 of `a-z 0-9 -`. */
export const TENANT_NAME = new RegExp(`^[a-z0-9-]{1,${TENANT_NAME_LENGTH_MAX}}$`);
