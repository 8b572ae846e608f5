import { authProfile, authProfileSummaries } from '../schemas/auth-profiles.ts';
import { answer, experimental, type Operation, patchBody } from './definition.ts';

const group = 'Auth Profiles';

/** The operations on auth profiles. */
export const AUTH_PROFILE_OPERATIONS: readonly Operation[] = [
  {
    ...experimental,
    id: 'get-profile-config-list-v1',
    method: 'GET',
    path: '/auth-profiles/v1',
    group,
    summary: 'List of auth profiles',
    answer: answer(authProfileSummaries),
    list: true,
  },
  {
    ...experimental,
    id: 'get-profile-config-v1',
    method: 'GET',
    path: '/auth-profiles/v1/{id}',
    group,
    summary: 'One auth profile',
    answer: answer(authProfile),
    etag: true,
    refusals: [404],
  },
  {
    ...experimental,
    id: 'patch-profile-config-v1',
    method: 'PATCH',
    path: '/auth-profiles/v1/{id}',
    group,
    summary: 'Change an auth profile',
    body: patchBody,
    answer: answer(authProfile),
    etag: true,
    refusals: [404, 409, 412],
  },
];
