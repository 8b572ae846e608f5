import { authUser } from '../../schemas/administration/auth-users.ts';
import { defaults, jsonResponse, type Operation, patchBody } from '../definition.ts';

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
];
