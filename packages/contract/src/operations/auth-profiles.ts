import { RIGHTS_TO_READ } from '@access-admin/domain';
import { DRY_RUN_QUERY } from '../query/dry-run.ts';
import { authProfile, authProfilePatch, authProfileSummaries } from '../schemas/auth-profiles.ts';
import { signInDryRun } from '../schemas/sign-in.ts';
import { eitherResponse } from '../validation/named-schema.ts';
import { defineOperation, jsonResponse, patchBody } from './define-operation.ts';

const group = 'Auth Profiles';

/** The operations on auth profiles. */
export const AUTH_PROFILES = {
  list: defineOperation({
    id: 'get-profile-config-list-v1',
    method: 'GET',
    path: '/auth-profiles/v1',
    group,
    summary: 'List of auth profiles',
    description:
      'Lists the auth profiles of the tenant. Every identity profile has one with the same id and name; it says how its members sign in.',
    rights: RIGHTS_TO_READ.AUTH_PROFILE,
    experimental: true,
    list: true,
    response: jsonResponse(authProfileSummaries),
  }),
  get: defineOperation({
    id: 'get-profile-config-v1',
    method: 'GET',
    path: '/auth-profiles/v1/{id}',
    group,
    summary: 'One auth profile',
    description:
      'Returns one auth profile: the type of authentication, and whether access from off network and from untrusted geographies is blocked.',
    rights: RIGHTS_TO_READ.AUTH_PROFILE,
    experimental: true,
    response: jsonResponse(authProfile),
    errors: [404],
    etag: true,
  }),
  patch: defineOperation({
    id: 'patch-profile-config-v1',
    method: 'PATCH',
    path: '/auth-profiles/v1/{id}',
    group,
    summary: 'Change an auth profile',
    description:
      'Changes an auth profile by a JSON Patch (RFC 6902). The paths are `/type`, `/offNetwork`, `/untrustedGeography`, `/applicationId` and `/applicationName`. 403 where a caller that acts as an identity would change the type or the application of its own auth profile, or of one that an identity with a capability that the caller lacks has; 409 where no `ORG_ADMIN` could sign in any more. With `dryRun=true` nothing changes: the answer counts the identities that the change concerns, those that would newly be blocked or need a second factor, and those that would need one without having it, with the first 100 whose outcome changes, and says whether the change would be refused.',
    rights: { scopes: ['auth-profiles:manage'], capabilities: ['ORG_ADMIN'], resource: 'AUTH_PROFILE' },
    experimental: true,
    query: DRY_RUN_QUERY,
    body: patchBody(authProfilePatch.parse),
    response: jsonResponse(eitherResponse(authProfile, signInDryRun)),
    errors: [404, 409, 412],
    etag: true,
  }),
} as const;
