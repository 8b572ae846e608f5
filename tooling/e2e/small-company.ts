import type { AccessModelInput } from '@access-admin/client';

const side = (name: string, id: string) => ({ name, criteriaList: [{ type: 'ENTITLEMENT' as const, id }] });

/** A company of three people and one policy: no person may both create vendors and pay them. */
export const SMALL_COMPANY: readonly AccessModelInput[] = [
  { kind: 'entitlement', id: 'e-vendor', name: 'Vendor: create', source: 'ERP' },
  { kind: 'entitlement', id: 'e-pay', name: 'AP: release payment', source: 'ERP' },
  { kind: 'entitlement', id: 'e-report', name: 'Reports: view', source: 'ERP' },
  { kind: 'accessProfile', id: 'ap-pay', name: 'Payments', entitlements: ['e-pay', 'e-report'] },
  { kind: 'role', id: 'r-payments', name: 'Payments specialist', accessProfiles: ['ap-pay'] },
  { kind: 'identityProfile', id: 'ip-staff', name: 'Staff' },
  { kind: 'identity', id: 'i-ada', uid: 'ada', identityProfile: 'ip-staff', capabilities: ['ORG_ADMIN'] },
  {
    kind: 'identity',
    id: 'i-ben',
    uid: 'ben',
    identityProfile: 'ip-staff',
    access: [{ type: 'ROLE', id: 'r-payments' }],
  },
  { kind: 'identity', id: 'i-eve', uid: 'eve', identityProfile: 'ip-staff', capabilities: ['HELPDESK'] },
  {
    kind: 'sodPolicy',
    id: 'p-1',
    name: 'Vendor and payment',
    level: 'CRITICAL',
    conflictingAccessCriteria: {
      leftCriteria: side('create vendors', 'e-vendor'),
      rightCriteria: side('pay', 'e-pay'),
    },
  },
];

/** A grant that the policy forbids. */
export const FORBIDDEN_GRANT = { identityId: 'i-ben', accessRefs: [{ type: 'ENTITLEMENT' as const, id: 'e-vendor' }] };

/** The service's response to that grant. */
export const VIOLATION = {
  policy: { type: 'SOD_POLICY', id: 'p-1', name: 'Vendor and payment', level: 'CRITICAL' },
  preexisting: false,
  conflictingAccessCriteria: {
    leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor', name: 'Vendor: create', existing: false }] },
    rightCriteria: {
      criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay', name: 'AP: release payment', existing: true }],
    },
  },
};
