import type { OperationExamples } from '../definition.ts';

/** Auth users, auth profiles and UI metadata. */
export const ADMINISTRATION_EXAMPLES = {
  'get-auth-user-v1': {
    path: {
      id: 'i-0280',
    },
    response: {
      tenant: 'default',
      id: 'i-0280',
      uid: 'arjun.sharma',
      profile: 'ip-access-office',
      displayName: 'Arjun Sharma',
      alias: 'arjun.sharma',
      firstname: 'Arjun',
      lastname: 'Sharma',
      email: 'arjun.sharma@example.com',
      personalEmail: null,
      phone: null,
      workPhone: '+49 30 23125 279',
      identificationNumber: 'E10280',
      lastPasswordChangeDate: '2026-10-31T08:00:00.000Z',
      lastLoginTimestamp: 1792966138646,
      currentLoginTimestamp: null,
      lastUnlockTimestamp: null,
      capabilities: ['POLICY_ADMIN', 'CERT_ADMIN'],
    },
  },
  'patch-auth-user-v1': {
    path: {
      id: 'i-0280',
    },
    request: [
      {
        op: 'replace',
        path: '/capabilities',
        value: ['POLICY_ADMIN', 'CERT_ADMIN', 'REPORT_ADMIN'],
      },
    ],
    response: {
      tenant: 'default',
      id: 'i-0280',
      uid: 'arjun.sharma',
      profile: 'ip-access-office',
      displayName: 'Arjun Sharma',
      alias: 'arjun.sharma',
      firstname: 'Arjun',
      lastname: 'Sharma',
      email: 'arjun.sharma@example.com',
      personalEmail: null,
      phone: null,
      workPhone: '+49 30 23125 279',
      identificationNumber: 'E10280',
      lastPasswordChangeDate: '2026-10-31T08:00:00.000Z',
      lastLoginTimestamp: 1792966138646,
      currentLoginTimestamp: null,
      lastUnlockTimestamp: null,
      capabilities: ['POLICY_ADMIN', 'CERT_ADMIN', 'REPORT_ADMIN'],
    },
  },
  'get-profile-config-list-v1': {
    query: {
      limit: 2,
    },
    response: [
      {
        tenant: 'default',
        id: 'ip-access-office',
        name: 'Access office',
        type: 'NON_PTA',
      },
      {
        tenant: 'default',
        id: 'ip-administrators',
        name: 'Administrators',
        type: 'MFA',
      },
    ],
  },
  'get-profile-config-v1': {
    path: {
      id: 'ip-employees',
    },
    response: {
      id: 'ip-employees',
      name: 'Employees',
      type: 'PTA',
      offNetwork: false,
      untrustedGeography: true,
      applicationId: 'app-corporate-login',
      applicationName: 'Corporate login',
      strongAuthLogin: false,
    },
  },
  'patch-profile-config-v1': {
    path: {
      id: 'ip-employees',
    },
    request: [
      {
        op: 'replace',
        path: '/type',
        value: 'MFA',
      },
    ],
    response: {
      id: 'ip-employees',
      name: 'Employees',
      type: 'MFA',
      offNetwork: false,
      untrustedGeography: true,
      applicationId: 'app-corporate-login',
      applicationName: 'Corporate login',
      strongAuthLogin: false,
    },
  },
  'get-tenant-ui-metadata-v1': {
    response: {
      iFrameWhitelist: 'https://intranet.example.com https://*.portal.example.com',
      usernameLabel: 'Corporate ID',
      usernameEmptyText: 'firstname.lastname',
    },
  },
  'set-tenant-ui-metadata-v1': {
    request: {
      usernameLabel: 'Work ID',
      usernameEmptyText: null,
    },
    response: {
      iFrameWhitelist: 'https://intranet.example.com https://*.portal.example.com',
      usernameLabel: 'Work ID',
      usernameEmptyText: null,
    },
  },
} as const satisfies OperationExamples;
