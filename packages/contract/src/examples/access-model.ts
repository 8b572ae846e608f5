import type { OperationExamples } from './definition.ts';

/** The access model. */
export const ACCESS_MODEL_EXAMPLES = {
  'import-access-model-v1': {
    request: [
      {
        kind: 'entitlement',
        id: 'crm-refund',
        name: 'CRM: refund',
        source: 'CRM',
      },
      {
        kind: 'identity',
        id: 'i-example',
        uid: 'ada.example',
        identityProfile: 'ip-employees',
        displayName: 'Ada Example',
        access: [
          {
            type: 'ENTITLEMENT',
            id: 'crm-refund',
          },
        ],
      },
    ],
    response: {
      counts: {
        entitlement: {
          created: 1,
          updated: 0,
          deleted: 0,
          unchanged: 0,
        },
        accessProfile: {
          created: 0,
          updated: 0,
          deleted: 0,
          unchanged: 0,
        },
        role: {
          created: 0,
          updated: 0,
          deleted: 0,
          unchanged: 0,
        },
        identityProfile: {
          created: 0,
          updated: 0,
          deleted: 0,
          unchanged: 0,
        },
        identity: {
          created: 1,
          updated: 0,
          deleted: 0,
          unchanged: 0,
        },
        sodPolicy: {
          created: 0,
          updated: 0,
          deleted: 0,
          unchanged: 0,
        },
        control: {
          created: 0,
          updated: 0,
          deleted: 0,
          unchanged: 0,
        },
        uiMetadata: {
          created: 0,
          updated: 0,
          deleted: 0,
          unchanged: 0,
        },
        lockoutConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
        sessionConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
        networkConfig: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
      },
      policySetVersion: 6,
      warnings: [],
    },
  },
  'export-access-model-v1': {
    response: [
      {
        kind: 'entitlement',
        id: 'ad-account-create',
        name: 'Accounts: create and disable',
        source: 'Active Directory',
      },
      {
        kind: 'entitlement',
        id: 'ad-domain-admin',
        name: 'Domain administrator',
        source: 'Active Directory',
      },
    ],
  },
} as const satisfies OperationExamples;
