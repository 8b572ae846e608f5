import type { OperationExamples } from '../definition.ts';

const TERMS = {
  policyName: 'Vendor master and payment release',
  level: 'CRITICAL',
  conflictingAccessCriteria: {
    leftCriteria: {
      criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-create', name: 'Vendor: create', existing: true }],
    },
    rightCriteria: {
      criteriaList: [
        { type: 'ENTITLEMENT', id: 'erp-payment-release', name: 'AP: release payment run', existing: true },
      ],
    },
  },
  digest: 'a3ec50ab019e944b57aa79f0b50d5ef4edf8dc74a2fcf8e367eeb99128d0ad21',
};

const REQUESTED = {
  id: '8a97c40e-94f6-4e39-b1ea-feda8a301801',
  policyId: 'sod-p2p-01',
  identityId: 'i-0002',
  start: '2026-11-22T17:02:59.389Z',
  end: '2026-12-22T17:02:59.389Z',
  justification: 'Hands his work over.',
  state: 'REQUESTED',
  requesterId: 'i-0280',
  created: '2026-11-22T17:02:59.409Z',
  approverId: null,
  approved: null,
  revokerId: null,
  revoked: null,
  voided: null,
  terms: TERMS,
  decisions: [],
};

const APPROVAL = {
  action: 'APPROVED',
  by: { identityId: 'i-0281', displayName: 'Sabine Schäfer' },
  at: '2026-11-22T17:02:59.466Z',
  comment: 'Agreed with the head of accounting.',
};

const APPROVED = {
  ...REQUESTED,
  state: 'APPROVED',
  approverId: 'i-0281',
  approved: '2026-11-22T17:02:59.466Z',
  decisions: [APPROVAL],
};

const REVOKED = {
  ...APPROVED,
  state: 'REVOKED',
  revokerId: 'i-0281',
  revoked: '2026-11-22T17:02:59.521Z',
  decisions: [
    APPROVAL,
    {
      action: 'REVOKED',
      by: { identityId: 'i-0281', displayName: 'Sabine Schäfer' },
      at: '2026-11-22T17:02:59.521Z',
      comment: null,
    },
  ],
};

/** Exceptions. */
export const SOD_EXCEPTIONS_EXAMPLES = {
  'create-sod-exception-v1': {
    request: {
      policyId: 'sod-p2p-01',
      identityId: 'i-0002',
      start: '2026-11-21T00:00:00Z',
      end: '2026-12-21T00:00:00Z',
      justification: 'Hands his work over.',
    },
    response: REQUESTED,
  },
  'list-sod-exceptions-v1': {
    query: {
      limit: 1,
    },
    response: [REQUESTED],
  },
  'get-sod-exception-v1': {
    response: REQUESTED,
  },
  'approve-sod-exception-v1': {
    request: {
      comment: 'Agreed with the head of accounting.',
    },
    response: APPROVED,
  },
  'revoke-sod-exception-v1': {
    request: {},
    response: REVOKED,
  },
} as const satisfies OperationExamples;
