import type { OperationExamples } from './definition.ts';

/** What has happened. */
export const EVENTS_EXAMPLES = {
  'list-events-v1': {
    query: { types: 'access-model.imported', limit: '1' },
    response: [
      {
        specversion: '1.0',
        id: '5b0c3f0e-0f5f-4f0e-9d0c-1f6f6c1c7a52',
        source: 'http://127.0.0.1:8080',
        type: 'org.access-admin.access-model.imported.v1',
        subject: '/access-model/v1/export',
        time: '2026-11-22T17:02:56.455Z',
        datacontenttype: 'application/json',
        dataschema: 'http://127.0.0.1:8080/openapi.json#/components/schemas/ImportedCounts',
        sequence: '00000000000000000001',
        data: {
          counts: {
            entitlement: { created: 105, updated: 0, deleted: 0, unchanged: 0 },
            accessProfile: { created: 35, updated: 0, deleted: 0, unchanged: 0 },
            role: { created: 33, updated: 0, deleted: 0, unchanged: 0 },
            identityProfile: { created: 4, updated: 0, deleted: 0, unchanged: 0 },
            identity: { created: 300, updated: 0, deleted: 0, unchanged: 0 },
            sodPolicy: { created: 46, updated: 0, deleted: 0, unchanged: 0 },
            control: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
            uiMetadata: { created: 1, updated: 0, deleted: 0, unchanged: 0 },
            lockoutConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
            sessionConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
            networkConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
          },
          policySetVersion: 1,
        },
      },
    ],
  },
} satisfies OperationExamples;
