import { MANAGE_WAYS_IN, RIGHTS_TO_READ } from '@access-admin/domain';
import * as v from 'valibot';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { authUser, authUserPatch, credentials, newSignInLink, signInLink } from '../schemas/auth-users.ts';
import { recordId } from '../validation/fields.ts';
import { defineOperation, jsonResponse, NO_CONTENT, optionalJsonBody, patchBody } from './define-operation.ts';

const group = 'Auth Users';

/** The operations on auth users, and on what they sign in with. */
export const AUTH_USERS = {
  get: defineOperation({
    id: 'get-auth-user-v1',
    method: 'GET',
    path: '/auth-users/v1/{id}',
    group,
    summary: 'Auth user details, with capabilities',
    description:
      'Returns how the authentication system knows an identity: names, addresses, login times and its capabilities, the administrative rights inside the tenant. An identity may read itself.',
    rights: { ...RIGHTS_TO_READ.AUTH_USER, forOwn: 'SCOPE_ONLY' },
    response: jsonResponse(authUser),
    errors: [404],
    etag: true,
  }),
  patch: defineOperation({
    id: 'patch-auth-user-v1',
    method: 'PATCH',
    path: '/auth-users/v1/{id}',
    group,
    summary: 'Change the capabilities of an auth user',
    description:
      'Changes the capabilities of an identity by a JSON Patch (RFC 6902). Nothing else can be changed here. A caller that acts as an identity gives others any capability but `INTERNAL`, and itself none, and the last `ORG_ADMIN` of a tenant stays. A gained capability ends open sign-in links of the identity, and the sessions that began with one.',
    rights: { scopes: ['auth-users:manage'], capabilities: ['ORG_ADMIN'], resource: 'AUTH_USER' },
    body: patchBody(authUserPatch.parse),
    response: jsonResponse(authUser),
    errors: [404, 409, 412],
    etag: true,
  }),
  createSignInLink: defineOperation({
    id: 'create-sign-in-link-v1',
    method: 'POST',
    path: '/auth-users/v1/{id}/sign-in-link',
    group,
    summary: 'A link with which an auth user sets a password or a passkey, once',
    description:
      'Makes a link with which an auth user that has no password yet, or has lost it, sets one, or a passkey. It works once, for `hours` (24 if left out), and a second factor that is enrolled is still demanded. The answer alone has the link: hand it over in a way that only the person can read. The link ends when the auth user gains a capability, and is refused at its use when the auth user has one that the maker of the link lacked, or lacks now. What it has set ends when the auth user gains a capability that its maker lacks. 403 for an auth user with a capability that the caller lacks (an `ORG_ADMIN` lacks at most `INTERNAL`), and for the caller’s own in a session: `/account` changes that.',
    rights: MANAGE_WAYS_IN,
    body: optionalJsonBody(newSignInLink, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(signInLink, 201),
    errors: [404],
  }),
  getCredentials: defineOperation({
    id: 'get-credentials-v1',
    method: 'GET',
    path: '/auth-users/v1/{id}/credentials',
    group,
    summary: 'What an auth user signs in with, and whether it is locked',
    description:
      'Returns what an auth user signs in with: whether it has a password and when it was set, whether an authenticator app is set up, its passkeys by name, how many recovery codes are left, how many failed attempts count at present, and until when it is locked. The answer has no secret.',
    rights: MANAGE_WAYS_IN,
    response: jsonResponse(credentials),
    errors: [404],
  }),
  removeCredential: defineOperation({
    id: 'remove-credential-v1',
    method: 'DELETE',
    path: '/auth-users/v1/{id}/credentials/{credentialId}',
    params: {
      credentialId: v.pipe(recordId, v.description('`password`, `totp`, `recovery-codes` or the id of a passkey.')),
    },
    group,
    summary: 'Remove one credential of an auth user, and end its sessions',
    description:
      'Removes one credential of an auth user, and ends its sessions. Nothing happens where the auth user has no such credential. 403 for an auth user with a capability that the caller lacks, and for the caller’s own: `/account` changes that; 409 where no `ORG_ADMIN` could sign in any more.',
    rights: MANAGE_WAYS_IN,
    response: NO_CONTENT,
    errors: [404, 409],
  }),
  unlock: defineOperation({
    id: 'unlock-auth-user-v1',
    method: 'DELETE',
    path: '/auth-users/v1/{id}/lock',
    group,
    summary: 'End the lock of an auth user after failed attempts',
    description:
      'Ends the lock of an auth user, and forgets its failed attempts. A lock of an address stays. 403 for an auth user with a capability that the caller lacks, and for the caller’s own.',
    rights: MANAGE_WAYS_IN,
    response: NO_CONTENT,
    errors: [404],
  }),
  removeCredentials: defineOperation({
    id: 'remove-credentials-v1',
    method: 'DELETE',
    path: '/auth-users/v1/{id}/credentials',
    group,
    summary: 'Remove everything that an auth user signs in with, and end its sessions',
    description:
      'Removes the password, passkeys, authenticator app, recovery codes and links of an auth user, and ends its sessions. 403 for an auth user with a capability that the caller lacks, and for the caller’s own in a session: `/account` changes that; 409 for the last `ORG_ADMIN` that can sign in.',
    rights: MANAGE_WAYS_IN,
    response: NO_CONTENT,
    errors: [404, 409],
  }),
} as const;
