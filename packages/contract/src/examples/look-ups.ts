import type { OperationExamples } from './definition.ts';

/** Look-ups. */
export const LOOK_UP_EXAMPLES = {
  'list-identities-v1': {
    query: { filters: 'uid sw "kerem"', limit: 1 },
    response: [
      {
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
        capabilities: [],
        identityProfile: { type: 'IDENTITY_PROFILE', id: 'ip-employees', name: 'Employees' },
        violations: { open: 0, mitigated: 0 },
      },
    ],
  },
  'get-identity-v1': {
    path: { id: 'i-0001' },
    response: {
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
      capabilities: [],
      identityProfile: { type: 'IDENTITY_PROFILE', id: 'ip-employees', name: 'Employees' },
      violations: { open: 0, mitigated: 0 },
      assignments: [
        { type: 'ROLE', id: 'r-employee', name: 'Employee', start: null, end: null },
        { type: 'ROLE', id: 'r-payments', name: 'Payments specialist', start: null, end: null },
      ],
    },
  },
  'list-entitlements-v1': {
    query: { filters: 'name co "vendor"', limit: 2 },
    response: [
      { id: 'erp-vendor-bank-change', name: 'Vendor: change bank details', source: 'ERP' },
      { id: 'erp-vendor-block', name: 'Vendor: block and unblock', source: 'ERP' },
    ],
  },
  'get-entitlement-v1': {
    path: { id: 'erp-vendor-create' },
    response: { id: 'erp-vendor-create', name: 'Vendor: create', source: 'ERP' },
  },
  'list-entitlement-holders-v1': {
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
  'list-access-profiles-v1': {
    query: { limit: 1 },
    response: [
      {
        id: 'ap-backup-operation',
        name: 'Backup operation',
        entitlements: [
          { type: 'ENTITLEMENT', id: 'backup-run', name: 'Backups: run' },
          { type: 'ENTITLEMENT', id: 'backup-restore', name: 'Backups: restore' },
        ],
      },
    ],
  },
  'get-access-profile-v1': {
    path: { id: 'ap-remote-work' },
    response: {
      id: 'ap-remote-work',
      name: 'Remote work',
      entitlements: [{ type: 'ENTITLEMENT', id: 'vpn-connect', name: 'VPN: connect' }],
    },
  },
  'list-access-profile-holders-v1': {
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
  'list-roles-v1': {
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
      },
    ],
  },
  'get-role-v1': {
    path: { id: 'r-external' },
    response: {
      id: 'r-external',
      name: 'External worker',
      accessProfiles: [{ type: 'ACCESS_PROFILE', id: 'ap-remote-work', name: 'Remote work' }],
      entitlements: [
        { type: 'ENTITLEMENT', id: 'mail-use', name: 'Mail and calendar' },
        { type: 'ENTITLEMENT', id: 'wiki-edit', name: 'Wiki: edit' },
      ],
    },
  },
  'list-role-holders-v1': {
    path: { id: 'r-payments' },
    query: { limit: 1 },
    response: [{ identity: { type: 'IDENTITY', id: 'i-0001', name: 'Kerem Şahin' }, via: [], start: null, end: null }],
  },
  'list-identity-profiles-v1': {
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
  'get-identity-profile-v1': {
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
} as const satisfies OperationExamples;
