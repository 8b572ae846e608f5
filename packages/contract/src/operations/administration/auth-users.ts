import { SMALL_BODY_BYTES_MAX } from '../../limits.ts';
import { authUser } from '../../schemas/administration/auth-users.ts';
import { credentials } from '../../schemas/administration/credentials.ts';
import { newSignInLink, signInLink } from '../../schemas/administration/sessions.ts';
import { defaults, jsonResponse, NO_CONTENT, type Operation, optionalJsonBody, patchBody } from '../definition.ts';

const group = 'Auth Users';

/** The operations on auth users. */
export const AUTH_USER_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'get-auth-user-v1',
    method: 'GET',
    path: '/auth-users/v1/{id}',
    group,
    summary: 'Auth user details, with capabilities',
    response: jsonResponse(authUser),
    etag: true,
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'patch-auth-user-v1',
    method: 'PATCH',
    path: '/auth-users/v1/{id}',
    group,
    summary: 'Change the capabilities of an auth user',
    body: patchBody,
    response: jsonResponse(authUser),
    etag: true,
    errorStatuses: [404, 409, 412],
  },
  {
    ...defaults,
    id: 'create-sign-in-link-v1',
    method: 'POST',
    path: '/auth-users/v1/{id}/sign-in-link',
    group,
    summary: 'A link with which an auth user sets a password or a passkey, once',
    body: optionalJsonBody(newSignInLink, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(signInLink, 201),
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'get-credentials-v1',
    method: 'GET',
    path: '/auth-users/v1/{id}/credentials',
    group,
    summary: 'What an auth user signs in with, and whether it is locked',
    response: jsonResponse(credentials),
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'remove-credential-v1',
    method: 'DELETE',
    path: '/auth-users/v1/{id}/credentials/{credentialId}',
    group,
    summary: 'Remove one credential of an auth user, and end its sessions',
    response: NO_CONTENT,
    errorStatuses: [404, 409],
  },
  {
    ...defaults,
    id: 'unlock-auth-user-v1',
    method: 'DELETE',
    path: '/auth-users/v1/{id}/lock',
    group,
    summary: 'End the lock of an auth user after failed attempts',
    response: NO_CONTENT,
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'remove-credentials-v1',
    method: 'DELETE',
    path: '/auth-users/v1/{id}/credentials',
    group,
    summary: 'Remove everything that an auth user signs in with, and end its sessions',
    response: NO_CONTENT,
    errorStatuses: [404, 409],
  },
];
