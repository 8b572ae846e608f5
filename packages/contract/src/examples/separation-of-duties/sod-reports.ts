import type { OperationExamples } from '../definition.ts';

/** Reports. */
export const SOD_REPORTS_EXAMPLES = {
  'start-sod-scan-v1': {
    request: {},
    response: {
      reportId: '9c03faa7-aedf-4946-9a84-f56b0aeaa9ab',
      created: '2026-11-22T17:02:58.596Z',
    },
  },
  'start-sod-blast-radius-v1': {
    request: {
      kind: 'role',
      id: 'r-payments',
      add: [
        {
          type: 'ENTITLEMENT',
          id: 'erp-vendor-create',
        },
      ],
    },
    response: {
      reportId: 'af51f369-d826-4fdf-87a0-445e81451e1b',
      created: '2026-11-22T17:02:58.641Z',
    },
  },
  'start-sod-dry-run-v1': {
    request: {
      remove: ['sod-p2p-01'],
    },
    response: {
      reportId: '2387717f-f659-48c1-a947-7a7d4ac50118',
      created: '2026-11-22T17:02:58.701Z',
    },
  },
  'list-sod-reports-v1': {
    query: {
      limit: 1,
    },
    response: [
      {
        reportId: '2387717f-f659-48c1-a947-7a7d4ac50118',
        kind: 'DRY_RUN',
        state: 'SUCCESS',
        progress: 1,
        created: '2026-11-22T17:02:58.701Z',
        completed: '2026-11-22T17:02:58.900Z',
        policySetVersion: 1,
        asOf: '2026-11-22T17:02:58.735Z',
        summary: { identities: 300, new: 0, same: 0, gone: 1, excepted: 0 },
      },
    ],
  },
  'get-sod-report-v1': {
    response: {
      reportId: '2387717f-f659-48c1-a947-7a7d4ac50118',
      kind: 'DRY_RUN',
      state: 'SUCCESS',
      progress: 1,
      created: '2026-11-22T17:02:58.701Z',
      completed: '2026-11-22T17:02:58.800Z',
      policySetVersion: 1,
      asOf: '2026-11-22T17:02:58.735Z',
      summary: {
        identities: 300,
        'new': 0,
        same: 0,
        gone: 1,
        excepted: 0,
        byPolicy: [
          {
            policyId: 'sod-p2p-01',
            name: 'Vendor master and payment release',
            level: 'CRITICAL',
            'new': 0,
            same: 0,
            gone: 1,
            excepted: 0,
          },
        ],
      },
    },
  },
  'list-sod-report-violations-v1': {
    query: {
      limit: 1,
    },
    response: [
      {
        change: 'gone',
        identityId: 'i-0002',
        displayName: 'Tuấn Trần',
        policyId: 'sod-p2p-01',
        policyName: 'Vendor master and payment release',
        level: 'CRITICAL',
        conflictingAccessCriteria: {
          leftCriteria: {
            criteriaList: [
              {
                type: 'ENTITLEMENT',
                id: 'erp-vendor-create',
                name: 'Vendor: create',
                existing: true,
              },
            ],
          },
          rightCriteria: {
            criteriaList: [
              {
                type: 'ENTITLEMENT',
                id: 'erp-payment-release',
                name: 'AP: release payment run',
                existing: true,
              },
            ],
          },
        },
        exception: null,
      },
    ],
  },
} as const satisfies OperationExamples;
