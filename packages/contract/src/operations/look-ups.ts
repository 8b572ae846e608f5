import type { OperationId } from '@access-admin/domain';
import {
  accessProfile,
  accessProfiles,
  ENTITLEMENT_FILTERS,
  entitlement,
  entitlements,
  holders,
  IDENTITY_FILTERS,
  IDENTITY_SORTERS,
  identities,
  identity,
  identityProfile,
  identityProfiles,
  NAMED_FILTERS,
  NAMED_SORTERS,
  role,
  roles,
} from '../schemas/look-ups.ts';
import type { ResponseSchema } from '../validation/response-schema.ts';
import { CURSOR, defaults, jsonResponse, type Operation } from './definition.ts';

const group = 'Look-ups';

type Searched = Pick<Operation, 'id' | 'path' | 'summary' | 'filters' | 'sorters'>;

const list = (of: Searched, schema: ResponseSchema): Operation => ({
  ...defaults,
  ...of,
  method: 'GET',
  group,
  response: jsonResponse(schema),
  list: true,
  query: [CURSOR],
});

const get = (id: OperationId, of: Pick<Operation, 'path' | 'summary'>, schema: ResponseSchema): Operation => ({
  ...defaults,
  ...of,
  id,
  method: 'GET',
  group,
  response: jsonResponse(schema),
  etag: true,
  errorStatuses: [404],
});

const listHolders = (id: OperationId, path: string, what: string): Operation => ({
  ...list({ id, path, summary: `The identities that hold ${what}`, filters: {}, sorters: [] }, holders),
  errorStatuses: [404],
});

const named = { filters: NAMED_FILTERS, sorters: NAMED_SORTERS };

/** The operations that look records of the access model up. */
export const LOOK_UP_OPERATIONS: readonly Operation[] = [
  list(
    {
      id: 'list-identities-v1',
      path: '/identities/v1',
      summary: 'List and search of identities',
      filters: IDENTITY_FILTERS,
      sorters: IDENTITY_SORTERS,
    },
    identities,
  ),
  get('get-identity-v1', { path: '/identities/v1/{id}', summary: 'One identity with its assignments' }, identity),
  list(
    {
      id: 'list-entitlements-v1',
      path: '/entitlements/v1',
      summary: 'List and search of entitlements',
      filters: ENTITLEMENT_FILTERS,
      sorters: NAMED_SORTERS,
    },
    entitlements,
  ),
  get('get-entitlement-v1', { path: '/entitlements/v1/{id}', summary: 'One entitlement' }, entitlement),
  listHolders('list-entitlement-holders-v1', '/entitlements/v1/{id}/holders', 'an entitlement'),
  list(
    {
      ...named,
      id: 'list-access-profiles-v1',
      path: '/access-profiles/v1',
      summary: 'List and search of access profiles, with their content',
    },
    accessProfiles,
  ),
  get(
    'get-access-profile-v1',
    { path: '/access-profiles/v1/{id}', summary: 'One access profile with its content' },
    accessProfile,
  ),
  listHolders('list-access-profile-holders-v1', '/access-profiles/v1/{id}/holders', 'an access profile'),
  list(
    {
      ...named,
      id: 'list-roles-v1',
      path: '/roles/v1',
      summary: 'List and search of roles, with their content',
    },
    roles,
  ),
  get('get-role-v1', { path: '/roles/v1/{id}', summary: 'One role with its content' }, role),
  listHolders('list-role-holders-v1', '/roles/v1/{id}/holders', 'a role'),
  list(
    {
      ...named,
      id: 'list-identity-profiles-v1',
      path: '/identity-profiles/v1',
      summary: 'List and search of identity profiles',
    },
    identityProfiles,
  ),
  get(
    'get-identity-profile-v1',
    { path: '/identity-profiles/v1/{id}', summary: 'One identity profile' },
    identityProfile,
  ),
];
