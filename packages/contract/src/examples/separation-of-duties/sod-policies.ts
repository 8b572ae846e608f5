import type { OperationExamples } from '../definition.ts';

const NEW_POLICY = {
  id: 'sod-example',
  name: 'Order, receive and pay',
  level: 'HIGH',
  conflictingAccessCriteria: {
    criteria: [
      { name: 'maintain vendors', criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-create' }] },
      { name: 'change bank details', criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-bank-change' }] },
      {
        name: 'release payments',
        criteriaList: [
          { type: 'ENTITLEMENT', id: 'erp-payment-release' },
          { type: 'ENTITLEMENT', id: 'bank-payment-approve' },
        ],
      },
    ],
    atLeast: 2,
  },
  tags: ['finance'],
};

const POLICY = {
  id: 'sod-example',
  name: 'Order, receive and pay',
  description: null,
  state: 'ENFORCED',
  level: 'HIGH',
  type: 'CONFLICTING_ACCESS_BASED',
  conflictingAccessCriteria: {
    criteria: [
      {
        name: 'maintain vendors',
        criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-create', name: 'Vendor: create' }],
      },
      {
        name: 'change bank details',
        criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-bank-change', name: 'Vendor: change bank details' }],
      },
      {
        name: 'release payments',
        criteriaList: [
          { type: 'ENTITLEMENT', id: 'erp-payment-release', name: 'AP: release payment run' },
          { type: 'ENTITLEMENT', id: 'bank-payment-approve', name: 'Payment: approve' },
        ],
      },
    ],
    atLeast: 2,
  },
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  tags: ['finance'],
  ownerRef: null,
  created: '2026-11-22T17:02:59.111Z',
  modified: '2026-11-22T17:02:59.111Z',
};

const CRITICAL_ACCESS = {
  id: 'sod-it-16',
  name: 'Deletion of backups and logs',
  description: 'Data and the traces of an attack could be destroyed for good.',
  state: 'ENFORCED',
  level: 'CRITICAL',
  type: 'CONFLICTING_ACCESS_BASED',
  conflictingAccessCriteria: {
    criteria: [
      {
        name: 'delete backups or logs',
        criteriaList: [
          { type: 'ENTITLEMENT', id: 'backup-delete', name: 'Backups: delete' },
          { type: 'ENTITLEMENT', id: 'siem-log-purge', name: 'Logs: purge' },
        ],
      },
    ],
    atLeast: 1,
  },
  externalPolicyReference: 'ITGC-OP-16',
  compensatingControls: 'Alerts on every deletion go to security operations.',
  correctionAdvice: 'Revoke it. Retention deletes backups and logs; for an emergency, request an exception.',
  tags: ['it', 'security', 'critical-access'],
  ownerRef: null,
  created: '2026-11-22T17:02:56.455Z',
  modified: '2026-11-22T17:02:56.455Z',
};

/** SOD policies. */
export const SOD_POLICIES_EXAMPLES = {
  'list-sod-policies-v1': {
    query: { filters: 'id in ("sod-exp-01", "sod-it-16")' },
    response: [
      {
        id: 'sod-exp-01',
        name: 'Expense approval and audit',
        description: 'Auditors would audit themselves.',
        state: 'ENFORCED',
        level: 'LOW',
        type: 'CONFLICTING_ACCESS_BASED',
        conflictingAccessCriteria: {
          leftCriteria: {
            name: 'approve claims',
            criteriaList: [
              { type: 'ENTITLEMENT', id: 'exp-claim-approve', name: 'Claim: approve' },
              { type: 'ENTITLEMENT', id: 'exp-policy-edit', name: 'Expense policy: edit' },
            ],
          },
          rightCriteria: {
            name: 'audit claims',
            criteriaList: [{ type: 'ENTITLEMENT', id: 'exp-claim-audit', name: 'Claims: audit' }],
          },
        },
        externalPolicyReference: null,
        compensatingControls: null,
        correctionAdvice: 'Take approval from auditors for the time of the audit.',
        tags: ['finance', 'audit'],
        ownerRef: null,
        created: '2026-11-22T17:02:56.455Z',
        modified: '2026-11-22T17:02:56.455Z',
      },
      CRITICAL_ACCESS,
    ],
  },
  'create-sod-policy-v1': { request: NEW_POLICY, response: POLICY },
  'lint-sod-policies-v1': {
    response: [
      {
        code: 'SELF_VIOLATING_ACCESS_PROFILE',
        severity: 'ERROR',
        policyId: 'sod-example',
        ref: { type: 'ACCESS_PROFILE', id: 'ap-vendor-master' },
        related: [],
        text: 'Access profile ap-vendor-master violates policy sod-example by itself: so does every identity that holds it.',
      },
      {
        code: 'SELF_VIOLATING_ROLE',
        severity: 'ERROR',
        policyId: 'sod-example',
        ref: { type: 'ROLE', id: 'r-vendor-master' },
        related: [],
        text: 'Role r-vendor-master violates policy sod-example by itself: so does every identity that holds it.',
      },
      {
        code: 'SUBSUMED_POLICY',
        severity: 'WARNING',
        policyId: 'sod-p2p-01',
        ref: null,
        related: [{ type: 'SOD_POLICY', id: 'sod-example', name: 'Order, receive and pay' }],
        text: 'Every identity that violates policy sod-p2p-01 also violates policy sod-example.',
      },
    ],
  },
  'get-sod-policy-v1': { path: { id: 'sod-example' }, response: POLICY },
  'put-sod-policy-v1': {
    path: { id: 'sod-example' },
    request: { ...NEW_POLICY, description: 'Two of these in one hand are enough to pay an invented vendor.' },
    response: {
      ...POLICY,
      description: 'Two of these in one hand are enough to pay an invented vendor.',
      modified: '2026-11-22T17:02:59.184Z',
    },
  },
  'patch-sod-policy-v1': {
    path: { id: 'sod-example' },
    request: [{ op: 'replace', path: '/level', value: 'CRITICAL' }],
    response: {
      ...POLICY,
      description: 'Two of these in one hand are enough to pay an invented vendor.',
      level: 'CRITICAL',
      modified: '2026-11-22T17:02:59.274Z',
    },
  },
  'get-sod-policy-history-v1': {
    path: { id: 'sod-example' },
    query: { limit: 1 },
    response: [
      {
        sequence: 249,
        time: '2026-11-22T17:02:59.111Z',
        tenant: 'default',
        actor: { clientId: 'root', identityId: null },
        operation: 'create-sod-policy-v1',
        resource: { type: 'SOD_POLICY', id: 'sod-example' },
        outcome: 'ALLOWED',
        changes: [
          { field: 'id', before: null, after: 'sod-example' },
          { field: 'name', before: null, after: 'Order, receive and pay' },
          { field: 'state', before: null, after: 'ENFORCED' },
          { field: 'level', before: null, after: 'HIGH' },
          { field: 'type', before: null, after: 'CONFLICTING_ACCESS_BASED' },
          {
            field: 'conflictingAccessCriteria',
            before: null,
            after: {
              atLeast: 2,
              criteria: [
                {
                  criteriaList: [{ id: 'erp-vendor-create', name: 'Vendor: create', type: 'ENTITLEMENT' }],
                  name: 'maintain vendors',
                },
                {
                  criteriaList: [
                    { id: 'erp-vendor-bank-change', name: 'Vendor: change bank details', type: 'ENTITLEMENT' },
                  ],
                  name: 'change bank details',
                },
                {
                  criteriaList: [
                    { id: 'erp-payment-release', name: 'AP: release payment run', type: 'ENTITLEMENT' },
                    { id: 'bank-payment-approve', name: 'Payment: approve', type: 'ENTITLEMENT' },
                  ],
                  name: 'release payments',
                },
              ],
            },
          },
          { field: 'tags', before: null, after: ['finance'] },
          { field: 'created', before: null, after: '2026-11-22T17:02:59.111Z' },
          { field: 'modified', before: null, after: '2026-11-22T17:02:59.111Z' },
        ],
        trackingId: '87f9dcd5b608c0ea31ec37b5f783e494',
        previousHash: 'ce08533f906bcebb208bd45eeb14afec5fa09f3481065fd59d4c7efb8ed2915e',
        hash: '226cbd92bfd1fc697e518e4526350a6d213ccab5e4fdbedafa6bb5c4f012b1e2',
      },
    ],
  },
  'delete-sod-policy-v1': { path: { id: 'sod-example' } },
} as const satisfies OperationExamples;
