import {
  accessProfile,
  accessProfiles,
  BUNDLE_FILTERS,
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
import { defineOperation, jsonResponse } from './define-operation.ts';

const group = 'Look-ups';

const LOOK_UP = {
  scopes: ['access-model:read', 'access-model:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN', 'HELPDESK', 'das:ui-auditor'],
} as const;
// The audit log names an identity profile by its auth profile, which has the same id.
const LOOK_UP_IDENTITY_PROFILES = { ...LOOK_UP, resource: 'AUTH_PROFILE' } as const;

const KEREM = {
  id: 'i-0001',
  uid: 'kerem.sahin',
  displayName: 'Kerem Şahin',
  alias: 'kerem.sahin',
  firstname: 'Kerem',
  lastname: 'Şahin',
  email: 'kerem.sahin@example.com',
  personalEmail: null,
  phone: null,
  workPhone: '+49 30 23125 000',
  identificationNumber: 'E10001',
  lastPasswordChangeDate: '2026-09-18T08:00:00.000Z',
  lastLoginTimestamp: 1793136413038,
  currentLoginTimestamp: null,
  lastUnlockTimestamp: null,
  active: true,
  capabilities: [],
  identityProfile: { type: 'IDENTITY_PROFILE', id: 'ip-employees', name: 'Employees' },
  violations: { open: 0, mitigated: 0 },
  attributes: { department: 'Accounts payable' },
  externalId: null,
};

const NOTHING_EXTERNAL = { attributes: {}, externalId: null };

/** The operations that look records of the access model up. */
export const LOOK_UPS = {
  identities: defineOperation({
    id: 'list-identities-v1',
    method: 'GET',
    path: '/identities/v1',
    group,
    summary: 'List and search of identities',
    description:
      'Lists identities, with the numbers of their present violations. Filters on `displayName`, `uid` and `email` with `sw` and `co` ignore case and the accents of Latin letters. The identity profile is shown by name. Follow `Link` for the next page; a page may have fewer rows than `limit` although more follow.',
    rights: { ...LOOK_UP, resource: 'IDENTITY' },
    list: true,
    filters: IDENTITY_FILTERS,
    sorters: IDENTITY_SORTERS,
    cursor: true,
    response: jsonResponse(identities),
    example: {
      query: { filters: 'uid sw "kerem"', limit: 1 },
      response: [KEREM],
    },
  }),
  identity: defineOperation({
    id: 'get-identity-v1',
    method: 'GET',
    path: '/identities/v1/{id}',
    group,
    summary: 'One identity with its assignments',
    description:
      'Returns one identity with its assignments, by name, and the numbers of its present violations. An assignment that comes from an account has its `source` and `accountKey`; the others are of the identity itself. An identity may read itself.',
    rights: { ...LOOK_UP, resource: 'IDENTITY', forOwn: 'SCOPE_ONLY' },
    response: jsonResponse(identity),
    errors: [404],
    etag: true,
    example: {
      path: { id: 'i-0001' },
      response: {
        ...KEREM,
        assignments: [
          { type: 'ROLE', id: 'r-employee', name: 'Employee', start: null, end: null },
          { type: 'ROLE', id: 'r-payments', name: 'Payments specialist', start: null, end: null },
        ],
      },
    },
  }),
  entitlements: defineOperation({
    id: 'list-entitlements-v1',
    method: 'GET',
    path: '/entitlements/v1',
    group,
    summary: 'List and search of entitlements',
    description:
      'Lists entitlements. Filters on `name` with `sw` and `co` ignore case and the accents of Latin letters.',
    rights: { ...LOOK_UP, resource: 'ENTITLEMENT' },
    list: true,
    filters: ENTITLEMENT_FILTERS,
    sorters: NAMED_SORTERS,
    cursor: true,
    response: jsonResponse(entitlements),
    example: {
      query: { filters: 'name co "vendor"', limit: 2 },
      response: [
        { id: 'erp-vendor-bank-change', name: 'Vendor: change bank details', source: 'ERP', ...NOTHING_EXTERNAL },
        { id: 'erp-vendor-block', name: 'Vendor: block and unblock', source: 'ERP', ...NOTHING_EXTERNAL },
      ],
    },
  }),
  entitlement: defineOperation({
    id: 'get-entitlement-v1',
    method: 'GET',
    path: '/entitlements/v1/{id}',
    group,
    summary: 'One entitlement',
    description: 'Returns one entitlement.',
    rights: { ...LOOK_UP, resource: 'ENTITLEMENT' },
    response: jsonResponse(entitlement),
    errors: [404],
    etag: true,
    example: {
      path: { id: 'erp-vendor-create' },
      response: { id: 'erp-vendor-create', name: 'Vendor: create', source: 'ERP', ...NOTHING_EXTERNAL },
    },
  }),
  entitlementHolders: defineOperation({
    id: 'list-entitlement-holders-v1',
    method: 'GET',
    path: '/entitlements/v1/{id}/holders',
    group,
    summary: 'The identities that hold an entitlement',
    description:
      'Lists the assignments by which identities hold an entitlement, in the order of the identities. `via` is the shortest way from the assigned role or access profile down to the entitlement, empty for a direct assignment; `start` and `end` are the window of the assignment.',
    rights: { ...LOOK_UP, resource: 'ENTITLEMENT' },
    list: true,
    cursor: true,
    response: jsonResponse(holders),
    errors: [404],
    example: {
      path: { id: 'erp-vendor-create' },
      query: { limit: 2 },
      response: [
        { identity: { type: 'IDENTITY', id: 'i-0002', name: 'Tuấn Trần' }, via: [], start: null, end: null },
        {
          identity: { type: 'IDENTITY', id: 'i-0026', name: 'Zeynep Şahin' },
          via: [
            { type: 'ROLE', id: 'r-vendor-master', name: 'Vendor master data specialist' },
            { type: 'ACCESS_PROFILE', id: 'ap-vendor-master', name: 'Vendor master' },
          ],
          start: null,
          end: null,
        },
      ],
    },
  }),
  accessProfiles: defineOperation({
    id: 'list-access-profiles-v1',
    method: 'GET',
    path: '/access-profiles/v1',
    group,
    summary: 'List and search of access profiles, with their content',
    description:
      'Lists access profiles with their entitlements by name. Filters on `name` with `sw` and `co` ignore case and the accents of Latin letters. Large ones make a page shorter than `limit`.',
    rights: { ...LOOK_UP, resource: 'ACCESS_PROFILE' },
    list: true,
    filters: BUNDLE_FILTERS,
    sorters: NAMED_SORTERS,
    cursor: true,
    response: jsonResponse(accessProfiles),
    example: {
      query: { limit: 1 },
      response: [
        {
          id: 'ap-backup-operation',
          name: 'Backup operation',
          entitlements: [
            { type: 'ENTITLEMENT', id: 'backup-run', name: 'Backups: run' },
            { type: 'ENTITLEMENT', id: 'backup-restore', name: 'Backups: restore' },
          ],
          ...NOTHING_EXTERNAL,
        },
      ],
    },
  }),
  accessProfile: defineOperation({
    id: 'get-access-profile-v1',
    method: 'GET',
    path: '/access-profiles/v1/{id}',
    group,
    summary: 'One access profile with its content',
    description: 'Returns one access profile with its entitlements by name.',
    rights: { ...LOOK_UP, resource: 'ACCESS_PROFILE' },
    response: jsonResponse(accessProfile),
    errors: [404],
    etag: true,
    example: {
      path: { id: 'ap-remote-work' },
      response: {
        id: 'ap-remote-work',
        name: 'Remote work',
        entitlements: [{ type: 'ENTITLEMENT', id: 'vpn-connect', name: 'VPN: connect' }],
        ...NOTHING_EXTERNAL,
      },
    },
  }),
  accessProfileHolders: defineOperation({
    id: 'list-access-profile-holders-v1',
    method: 'GET',
    path: '/access-profiles/v1/{id}/holders',
    group,
    summary: 'The identities that hold an access profile',
    description:
      'Lists the assignments by which identities hold an access profile, directly (`via` is empty) or by a role.',
    rights: { ...LOOK_UP, resource: 'ACCESS_PROFILE' },
    list: true,
    cursor: true,
    response: jsonResponse(holders),
    errors: [404],
    example: {
      path: { id: 'ap-remote-work' },
      query: { limit: 1 },
      response: [
        {
          identity: { type: 'IDENTITY', id: 'i-0001', name: 'Kerem Şahin' },
          via: [{ type: 'ROLE', id: 'r-employee', name: 'Employee' }],
          start: null,
          end: null,
        },
      ],
    },
  }),
  roles: defineOperation({
    id: 'list-roles-v1',
    method: 'GET',
    path: '/roles/v1',
    group,
    summary: 'List and search of roles, with their content',
    description:
      'Lists roles with their access profiles and entitlements by name. Filters on `name` with `sw` and `co` ignore case and the accents of Latin letters. Large ones make a page shorter than `limit`.',
    rights: { ...LOOK_UP, resource: 'ROLE' },
    list: true,
    filters: BUNDLE_FILTERS,
    sorters: NAMED_SORTERS,
    cursor: true,
    response: jsonResponse(roles),
    example: {
      query: { limit: 1 },
      response: [
        {
          id: 'r-accountant',
          name: 'Accountant',
          accessProfiles: [
            { type: 'ACCESS_PROFILE', id: 'ap-journals', name: 'Journal entry' },
            { type: 'ACCESS_PROFILE', id: 'ap-finance-reading', name: 'Finance reading' },
          ],
          entitlements: [],
          ...NOTHING_EXTERNAL,
        },
      ],
    },
  }),
  role: defineOperation({
    id: 'get-role-v1',
    method: 'GET',
    path: '/roles/v1/{id}',
    group,
    summary: 'One role with its content',
    description: 'Returns one role with its access profiles and entitlements by name.',
    rights: { ...LOOK_UP, resource: 'ROLE' },
    response: jsonResponse(role),
    errors: [404],
    etag: true,
    example: {
      path: { id: 'r-external' },
      response: {
        id: 'r-external',
        name: 'External worker',
        accessProfiles: [{ type: 'ACCESS_PROFILE', id: 'ap-remote-work', name: 'Remote work' }],
        entitlements: [
          { type: 'ENTITLEMENT', id: 'mail-use', name: 'Mail and calendar' },
          { type: 'ENTITLEMENT', id: 'wiki-edit', name: 'Wiki: edit' },
        ],
        ...NOTHING_EXTERNAL,
      },
    },
  }),
  roleHolders: defineOperation({
    id: 'list-role-holders-v1',
    method: 'GET',
    path: '/roles/v1/{id}/holders',
    group,
    summary: 'The identities that hold a role',
    description: 'Lists the assignments by which identities hold a role; `via` is always empty.',
    rights: { ...LOOK_UP, resource: 'ROLE' },
    list: true,
    cursor: true,
    response: jsonResponse(holders),
    errors: [404],
    example: {
      path: { id: 'r-payments' },
      query: { limit: 1 },
      response: [
        { identity: { type: 'IDENTITY', id: 'i-0001', name: 'Kerem Şahin' }, via: [], start: null, end: null },
      ],
    },
  }),
  identityProfiles: defineOperation({
    id: 'list-identity-profiles-v1',
    method: 'GET',
    path: '/identity-profiles/v1',
    group,
    summary: 'List and search of identity profiles',
    description:
      'Lists identity profiles with the settings of their auth profiles. Filters on `name` with `sw` and `co` ignore case and the accents of Latin letters.',
    rights: LOOK_UP_IDENTITY_PROFILES,
    list: true,
    filters: NAMED_FILTERS,
    sorters: NAMED_SORTERS,
    cursor: true,
    response: jsonResponse(identityProfiles),
    example: {
      query: { limit: 1 },
      response: [
        {
          id: 'ip-access-office',
          name: 'Access office',
          authProfile: {
            type: 'NON_PTA',
            offNetwork: false,
            untrustedGeography: false,
            applicationId: null,
            applicationName: null,
          },
        },
      ],
    },
  }),
  identityProfile: defineOperation({
    id: 'get-identity-profile-v1',
    method: 'GET',
    path: '/identity-profiles/v1/{id}',
    group,
    summary: 'One identity profile',
    description: 'Returns one identity profile with the settings of its auth profile.',
    rights: LOOK_UP_IDENTITY_PROFILES,
    response: jsonResponse(identityProfile),
    errors: [404],
    etag: true,
    example: {
      path: { id: 'ip-contractors' },
      response: {
        id: 'ip-contractors',
        name: 'Contractors',
        authProfile: {
          type: 'MFA',
          offNetwork: false,
          untrustedGeography: true,
          applicationId: null,
          applicationName: null,
        },
      },
    },
  }),
} as const;
