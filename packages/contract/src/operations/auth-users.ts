import { authUser } from '../schemas/auth-users.ts';
import { answer, type Operation, patchBody, plain } from './definition.ts';

const group = 'Auth Users';

/** The operations on auth users. */
export const AUTH_USER_OPERATIONS: readonly Operation[] = [
  {
    ...plain,
    id: 'get-auth-user-v1',
    method: 'GET',
    path: '/auth-users/v1/{id}',
    group,
    summary: 'Auth user details, with capabilities',
    answer: answer(authUser),
    etag: true,
    refusals: [404],
  },
  {
    ...plain,
    id: 'patch-auth-user-v1',
    method: 'PATCH',
    path: '/auth-users/v1/{id}',
    group,
    summary: 'Change the capabilities of an auth user',
    body: patchBody,
    answer: answer(authUser),
    etag: true,
    refusals: [404, 409, 412],
  },
];
