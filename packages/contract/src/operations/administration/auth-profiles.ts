import { authProfile, authProfileSummaries } from '../../schemas/administration/auth-profiles.ts';
import { experimentalDefaults, jsonResponse, type Operation, patchBody } from '../definition.ts';
import { AUTH_PROFILE_OR_DRY_RUN, DRY_RUN_QUERY } from './dry-run.ts';

const group = 'Auth Profiles';

/** The operations on auth profiles. */
export const AUTH_PROFILE_OPERATIONS: readonly Operation[] = [
  {
    ...experimentalDefaults,
    id: 'get-profile-config-list-v1',
    method: 'GET',
    path: '/auth-profiles/v1',
    group,
    summary: 'List of auth profiles',
    response: jsonResponse(authProfileSummaries),
    list: true,
  },
  {
    ...experimentalDefaults,
    id: 'get-profile-config-v1',
    method: 'GET',
    path: '/auth-profiles/v1/{id}',
    group,
    summary: 'One auth profile',
    response: jsonResponse(authProfile),
    etag: true,
    errorStatuses: [404],
  },
  {
    ...experimentalDefaults,
    id: 'patch-profile-config-v1',
    method: 'PATCH',
    path: '/auth-profiles/v1/{id}',
    group,
    summary: 'Change an auth profile',
    body: patchBody,
    response: AUTH_PROFILE_OR_DRY_RUN,
    etag: true,
    query: DRY_RUN_QUERY,
    errorStatuses: [404, 409, 412],
  },
];
