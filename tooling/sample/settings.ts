import type { AuthProfileSettings } from '@access-admin/domain';

/** Identity profiles: id, name and how their people sign in. */
export const IDENTITY_PROFILES: Readonly<
  Record<string, { readonly name: string; readonly authProfile: AuthProfileSettings }>
> = {
  'ip-employees': {
    name: 'Employees',
    authProfile: {
      type: 'PTA',
      offNetwork: false,
      untrustedGeography: true,
      applicationId: 'app-corporate-login',
      applicationName: 'Corporate login',
    },
  },
  // Signs in with a password of this service, from anywhere: a sample has no other service to verify it.
  'ip-access-office': {
    name: 'Access office',
    authProfile: {
      type: 'NON_PTA',
      offNetwork: false,
      untrustedGeography: false,
      applicationId: null,
      applicationName: null,
    },
  },
  'ip-contractors': {
    name: 'Contractors',
    authProfile: {
      type: 'MFA',
      offNetwork: false,
      untrustedGeography: true,
      applicationId: null,
      applicationName: null,
    },
  },
  'ip-administrators': {
    name: 'Administrators',
    authProfile: {
      type: 'MFA',
      offNetwork: true,
      untrustedGeography: true,
      applicationId: null,
      applicationName: null,
    },
  },
  'ip-services': {
    name: 'Services',
    authProfile: {
      type: 'BLOCK',
      offNetwork: true,
      untrustedGeography: true,
      applicationId: null,
      applicationName: null,
    },
  },
};

/** The texts of the tenant's sign-in page, and the origins that may embed it. */
export const UI_METADATA = {
  iFrameWhitelist: 'https://intranet.example.com https://*.portal.example.com',
  usernameLabel: 'Corporate ID',
  usernameEmptyText: 'firstname.lastname',
} as const;
