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

/** Rules of the open rulebook that the company has not put into force. */
export const NOT_ENFORCED: readonly string[] = ['sod-o2c-08', 'sod-it-14', 'sod-it-15'];

/** The numbers of policies in the company's own catalogue of controls. */
export const REFERENCES: Readonly<Record<string, string>> = {
  'sod-r2r-01': 'SOX-R2R-01',
  'sod-r2r-02': 'SOX-R2R-02',
  'sod-r2r-04': 'SOX-R2R-04',
  'sod-trs-01': 'SOX-TRS-01',
  'sod-trs-02': 'SOX-TRS-02',
  'sod-trs-04': 'SOX-TRS-04',
  'sod-it-01': 'ITGC-CM-01',
  'sod-it-02': 'ITGC-CM-02',
  'sod-it-03': 'ITGC-CM-03',
  'sod-it-04': 'ITGC-AC-04',
  'sod-it-05': 'ITGC-AC-05',
  'sod-it-06': 'ITGC-OP-06',
  'sod-it-07': 'ITGC-CR-07',
  'sod-it-09': 'ITGC-AC-09',
  'sod-it-13': 'ITGC-AC-13',
  'sod-it-16': 'ITGC-OP-16',
  'sod-o2c-01': 'SOX-O2C-01',
  'sod-o2c-02': 'SOX-O2C-02',
  'sod-o2c-03': 'SOX-O2C-03',
  'sod-o2c-04': 'SOX-O2C-04',
  'sod-o2c-05': 'SOX-O2C-05',
  'sod-hr-01': 'SOX-HR-01',
  'sod-hr-02': 'SOX-HR-02',
  'sod-hr-03': 'SOX-HR-03',
  'sod-p2p-01': 'SOX-P2P-01',
  'sod-p2p-02': 'SOX-P2P-02',
  'sod-p2p-03': 'SOX-P2P-03',
  'sod-p2p-04': 'SOX-P2P-04',
  'sod-p2p-05': 'SOX-P2P-05',
  'sod-p2p-06': 'SOX-P2P-06',
  'sod-p2p-07': 'SOX-P2P-07',
  'sod-p2p-08': 'SOX-P2P-08',
  'sod-p2p-09': 'SOX-P2P-09',
};
