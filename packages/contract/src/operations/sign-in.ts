import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { DRY_RUN_QUERY } from '../query/dry-run.ts';
import {
  lockoutConfig,
  lockoutPatch,
  networkConfig,
  networkPatch,
  newNetworkConfig,
  sessionConfig,
  sessionPatch,
  signInDecision,
  signInDryRun,
  signInQuestion,
} from '../schemas/sign-in.ts';
import { eitherResponse } from '../validation/named-schema.ts';
import { defineOperation, jsonBody, jsonResponse, optionalJsonBody, patchBody } from './define-operation.ts';

const group = 'Sign-in Settings';

const READ = { scopes: ['auth-org:read', 'auth-org:manage'], capabilities: ['ORG_ADMIN', 'HELPDESK'] } as const;
const MANAGE = { scopes: ['auth-org:manage'], capabilities: ['ORG_ADMIN'] } as const;

/** The operations on the settings of the tenant for signing in, and on what signing in would do. */
export const SIGN_IN = {
  getLockoutConfig: defineOperation({
    id: 'get-auth-org-lockout-config-v1',
    method: 'GET',
    path: '/auth-org/v1/lockout-config',
    group,
    summary: 'When failed attempts lock a user',
    description:
      'Returns after how many failed attempts within how many minutes (`lockoutWindow`) a user is locked, and for how many minutes (`lockoutDuration`).',
    rights: { ...READ, resource: 'LOCKOUT_CONFIG' },
    response: jsonResponse(lockoutConfig),
    etag: true,
    onePerTenant: true,
  }),
  patchLockoutConfig: defineOperation({
    id: 'patch-auth-org-lockout-config-v1',
    method: 'PATCH',
    path: '/auth-org/v1/lockout-config',
    group,
    summary: 'Change when failed attempts lock a user',
    description:
      'Changes the lockout by a JSON Patch (RFC 6902). The paths are `/maximumAttempts`, `/lockoutDuration` and `/lockoutWindow`.',
    rights: { ...MANAGE, resource: 'LOCKOUT_CONFIG' },
    body: patchBody(lockoutPatch.parse),
    response: jsonResponse(lockoutConfig),
    errors: [409, 412],
    etag: true,
    onePerTenant: true,
  }),
  getSessionConfig: defineOperation({
    id: 'get-auth-org-session-config-v1',
    method: 'GET',
    path: '/auth-org/v1/session-config',
    group,
    summary: 'How long sessions last',
    description: 'Returns after how many minutes without activity, and after how many minutes in all, a session ends.',
    rights: { ...READ, resource: 'SESSION_CONFIG' },
    response: jsonResponse(sessionConfig),
    etag: true,
    onePerTenant: true,
  }),
  patchSessionConfig: defineOperation({
    id: 'patch-auth-org-session-config-v1',
    method: 'PATCH',
    path: '/auth-org/v1/session-config',
    group,
    summary: 'Change how long sessions last',
    description:
      'Changes the times of sessions by a JSON Patch (RFC 6902). The paths are `/maxIdleTime`, `/rememberMe` and `/maxSessionTime`, which must be greater than `maxIdleTime`.',
    rights: { ...MANAGE, resource: 'SESSION_CONFIG' },
    body: patchBody(sessionPatch.parse),
    response: jsonResponse(sessionConfig),
    errors: [409, 412],
    etag: true,
    onePerTenant: true,
  }),
  getNetworkConfig: defineOperation({
    id: 'get-auth-org-network-config-v1',
    method: 'GET',
    path: '/auth-org/v1/network-config',
    group,
    summary: 'From where identities sign in',
    description:
      'Returns the network ranges and countries that auth profiles with `offNetwork` and `untrustedGeography` are compared with. Countries are the only trusted ones with `whitelisted`, otherwise the untrusted ones.',
    rights: { ...READ, resource: 'NETWORK_CONFIG' },
    response: jsonResponse(networkConfig),
    etag: true,
    onePerTenant: true,
  }),
  setNetworkConfig: defineOperation({
    id: 'set-auth-org-network-config-v1',
    method: 'POST',
    path: '/auth-org/v1/network-config',
    group,
    summary: 'Replace from where identities sign in',
    description:
      'Replaces all properties of the network config; those left out get their defaults. 409 where no `ORG_ADMIN` could sign in any more.',
    rights: { ...MANAGE, resource: 'NETWORK_CONFIG' },
    body: optionalJsonBody(newNetworkConfig, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(networkConfig),
    errors: [409, 412],
    etag: true,
    onePerTenant: true,
  }),
  patchNetworkConfig: defineOperation({
    id: 'patch-auth-org-network-config-v1',
    method: 'PATCH',
    path: '/auth-org/v1/network-config',
    group,
    summary: 'Change from where identities sign in',
    description:
      'Changes the network config by a JSON Patch (RFC 6902). The paths are `/range`, `/geolocation`, their items, and `/whitelisted`. 409 where no `ORG_ADMIN` could sign in any more. With `dryRun=true` nothing changes: the answer counts the identities that the change concerns, those that would newly be blocked or need a second factor, and those that would need one without having it, with the first 100 whose outcome changes, and says whether the change would be refused.',
    rights: { ...MANAGE, resource: 'NETWORK_CONFIG' },
    query: DRY_RUN_QUERY,
    body: patchBody(networkPatch.parse),
    response: jsonResponse(eitherResponse(networkConfig, signInDryRun)),
    errors: [409, 412],
    etag: true,
    onePerTenant: true,
  }),
  decide: defineOperation({
    id: 'decide-sign-in-v1',
    method: 'POST',
    path: '/sign-in/v1/decision',
    group: 'Sign-in',
    summary: 'What signing in would do, without signing in',
    description:
      'Says what signing in would do for an identity, given by its id or its username, from an address: whether it is allowed, needs a second factor or is blocked, with all reasons. The sign-in page asks the same rules. Without `country` the country is that of the address where the operator has given a database; `at` is the instant at which a lock counts. Nothing is stored. 404 where there is no such identity, several have the username, or it has compatibility forms such as full-width letters.',
    rights: {
      scopes: ['auth-profiles:read', 'auth-profiles:manage'],
      capabilities: ['ORG_ADMIN', 'HELPDESK'],
      resource: 'SIGN_IN',
    },
    body: jsonBody(signInQuestion, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(signInDecision),
    errors: [404],
  }),
} as const;
