import type { OperationExamples } from '../definition.ts';

/** Predictions and checks. */
export const SOD_VIOLATIONS_EXAMPLES = {
  'start-predict-sod-violations-v1': {
    request: {
      identityId: 'i-0001',
      accessRefs: [
        {
          type: 'ENTITLEMENT',
          id: 'erp-vendor-create',
        },
      ],
    },
    response: {
      violationContexts: [
        {
          policy: {
            type: 'SOD_POLICY',
            id: 'sod-p2p-01',
            name: 'Vendor master and payment release',
            level: 'CRITICAL',
          },
          preexisting: false,
          conflictingAccessCriteria: {
            leftCriteria: {
              criteriaList: [
                {
                  type: 'ENTITLEMENT',
                  id: 'erp-vendor-create',
                  name: 'Vendor: create',
                  existing: false,
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
        },
      ],
      policySetVersion: 1,
      asOf: '2026-11-22T17:02:58.294Z',
    },
  },
  'start-predict-sod-violations-batch-v1': {
    request: [
      {
        identityId: 'i-0001',
        accessRefs: [],
      },
      {
        identityId: 'i-9999',
        accessRefs: [],
      },
    ],
    response: [
      {
        index: 0,
        status: 200,
        body: {
          violationContexts: [],
          policySetVersion: 1,
          asOf: '2026-11-22T17:02:58.422Z',
        },
      },
      {
        index: 1,
        status: 404,
        body: {
          detailCode: '404',
          trackingId: 'ab2361e103467872cefb24937095fbbb',
          messages: [
            {
              locale: 'en-US',
              localeOrigin: 'DEFAULT',
              text: 'There is no such resource.',
            },
          ],
          causes: [
            {
              locale: 'en-US',
              localeOrigin: 'DEFAULT',
              text: 'identityId: there is no such identity',
              detailCode: '404',
            },
          ],
        },
      },
    ],
  },
  'start-violation-check-v1': {
    request: {
      identityId: 'i-0001',
      accessRefs: [
        {
          type: 'ENTITLEMENT',
          id: 'erp-vendor-create',
        },
      ],
      clientMetadata: {
        ticket: 'REQ-7',
      },
    },
    response: {
      requestId: '8ce23094-77e0-4ba6-8edf-d6f6c8ae6737',
      created: '2026-11-22T17:02:58.485Z',
    },
  },
  'get-violation-check-v1': {
    response: {
      requestId: '8ce23094-77e0-4ba6-8edf-d6f6c8ae6737',
      created: '2026-11-22T17:02:58.485Z',
      state: 'SUCCESS',
      completed: '2026-11-22T17:02:58.577Z',
      violationCheckResult: {
        message: null,
        clientMetadata: {
          ticket: 'REQ-7',
        },
        violationContexts: [
          {
            policy: {
              type: 'SOD_POLICY',
              id: 'sod-p2p-01',
              name: 'Vendor master and payment release',
              level: 'CRITICAL',
            },
            preexisting: false,
            conflictingAccessCriteria: {
              leftCriteria: {
                criteriaList: [
                  {
                    type: 'ENTITLEMENT',
                    id: 'erp-vendor-create',
                    name: 'Vendor: create',
                    existing: false,
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
          },
        ],
        violatedPolicies: [
          {
            type: 'SOD_POLICY',
            id: 'sod-p2p-01',
            name: 'Vendor master and payment release',
          },
        ],
        violationCount: 1,
        omitted: 0,
        policySetVersion: 1,
        asOf: '2026-11-22T17:02:58.576Z',
      },
    },
  },
  // Signed with a key of its own: docs/receipts.md has its public part.
  'get-violation-check-receipt-v1': {
    response:
      'eyJhbGciOiJFUzI1NiIsInR5cCI6InNvZC1yZWNlaXB0K2pzb24iLCJraWQiOiJGdkd0bHVDM0hXeUJweE5YcHNoN19lUXhTcHpTdHd2TUxrM3l3QVNrT0ljIn0.eyJhc09mIjoiMjAyNi0xMS0yMlQxNzowMjo1OC41NzZaIiwiaWRlbnRpdHlJZCI6ImktMDAwMSIsInBvbGljeVNldFZlcnNpb24iOjEsInJlcXVlc3RJZCI6IjhjZTIzMDk0LTc3ZTAtNGJhNi04ZWRmLWQ2ZjZjOGFlNjczNyIsInJlcXVlc3RTaGEyNTYiOiIyMDQ5YTkwYTYxOTg3NTVhNWI3Y2JlNGFkNTAwNTNhOGQ0MTZlM2VkNjI0MDNjYmE2YjYzN2Y4MTY3NDFkMThkIiwicmVzdWx0U2hhMjU2IjoiNGQ1ZThiMWZhZjkzZDExNjc2N2I1MmFmM2ZlMzgzYjExMDc4YjM4OTQ4Y2I3NjIxNTBmN2Q3OWYzOGY5Yzk4NCIsInRlbmFudCI6ImRlZmF1bHQiLCJ2aW9sYXRlZFBvbGljaWVzIjpbInNvZC1wMnAtMDEiXX0.iVtMOcAEoguA-7O8U7LqTJVmSFK5fmObZc02PkkuB3Ss7Q7LvKovaSVXn4aIxZH_-XLnHfsBwYYqoMCwtP3DKA',
  },
} as const satisfies OperationExamples;
