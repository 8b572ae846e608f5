import type { OperationExamples } from '../definition.ts';

/** The audit log. */
export const AUDIT_EVENTS_EXAMPLES = {
  'list-audit-events-v1': {
    query: {
      limit: 1,
    },
    response: [
      {
        sequence: 1,
        time: '2026-11-22T17:02:56.455Z',
        tenant: 'default',
        actor: {
          clientId: 'root',
          identityId: null,
        },
        operation: 'import-access-model-v1',
        resource: {
          type: 'ACCESS_MODEL',
          id: null,
        },
        outcome: 'ALLOWED',
        changes: [
          {
            field: 'counts',
            before: null,
            after: {
              accessProfile: {
                created: 35,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              entitlement: {
                created: 105,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              identity: {
                created: 300,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              identityProfile: {
                created: 4,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              role: {
                created: 33,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              sodPolicy: {
                created: 46,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              uiMetadata: {
                created: 1,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              lockoutConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
              sessionConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
              networkConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
            },
          },
        ],
        trackingId: 'b4ce885f9998efa0e9786f1b9efc2c8f',
        previousHash: null,
        hash: 'a283dab2a231512370fd1905f59916b5fc0b153ff631c6e506c98a4ae3a7219a',
      },
    ],
  },
  'export-audit-events-v1': {
    response: [
      {
        sequence: 1,
        time: '2026-11-22T17:02:56.455Z',
        tenant: 'default',
        actor: {
          clientId: 'root',
          identityId: null,
        },
        operation: 'import-access-model-v1',
        resource: {
          type: 'ACCESS_MODEL',
          id: null,
        },
        outcome: 'ALLOWED',
        changes: [
          {
            field: 'counts',
            before: null,
            after: {
              accessProfile: {
                created: 35,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              entitlement: {
                created: 105,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              identity: {
                created: 300,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              identityProfile: {
                created: 4,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              role: {
                created: 33,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              sodPolicy: {
                created: 46,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              uiMetadata: {
                created: 1,
                deleted: 0,
                unchanged: 0,
                updated: 0,
              },
              lockoutConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
              sessionConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
              networkConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
            },
          },
        ],
        trackingId: 'b4ce885f9998efa0e9786f1b9efc2c8f',
        previousHash: null,
        hash: 'a283dab2a231512370fd1905f59916b5fc0b153ff631c6e506c98a4ae3a7219a',
      },
    ],
  },
  'get-audit-head-v1': {
    response: {
      sequence: 261,
      hash: 'cb35c15be03e7d2668966fc227c318e73cc28aa7472a49e38673e2299759bbe9',
      signature: 'a compact JWS',
    },
  },
} as const satisfies OperationExamples;
