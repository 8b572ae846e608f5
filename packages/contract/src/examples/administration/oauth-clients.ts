import type { OperationExamples } from '../definition.ts';

/** OAuth clients. */
export const OAUTH_CLIENTS_EXAMPLES = {
  'create-oauth-client-v1': {
    request: {
      name: 'Auditor, read only',
      scopes: ['audit-events:read', 'sod-policies:read'],
    },
    response: {
      id: 'b1076086-8fb1-4242-a1e2-00fe39e2b791',
      name: 'Auditor, read only',
      scopes: ['audit-events:read', 'sod-policies:read'],
      identityId: null,
      tenant: 'default',
      created: '2026-11-22T17:02:59.760Z',
      secret: 'shown in this answer alone',
    },
  },
  'list-oauth-clients-v1': {
    query: {
      limit: 1,
    },
    response: [
      {
        id: '07d8a56b-571f-445e-b9c8-049633bf0c33',
        name: 'i-0281',
        scopes: ['sod-exceptions:manage'],
        identityId: 'i-0281',
        tenant: 'default',
        created: '2026-11-22T17:02:57.881Z',
      },
    ],
  },
  'get-oauth-client-v1': {
    response: {
      id: 'b1076086-8fb1-4242-a1e2-00fe39e2b791',
      name: 'Auditor, read only',
      scopes: ['audit-events:read', 'sod-policies:read'],
      identityId: null,
      tenant: 'default',
      created: '2026-11-22T17:02:59.760Z',
    },
  },
  'patch-oauth-client-v1': {
    request: [{ op: 'replace', path: '/name', value: 'Auditor' }],
    response: {
      id: 'b1076086-8fb1-4242-a1e2-00fe39e2b791',
      name: 'Auditor',
      scopes: ['audit-events:read', 'sod-policies:read'],
      identityId: null,
      tenant: 'default',
      created: '2026-11-22T17:02:59.760Z',
    },
  },
  'delete-oauth-client-v1': {},
  'rotate-oauth-client-secret-v1': {
    request: { overlapHours: 1 },
    response: {
      id: 'b1076086-8fb1-4242-a1e2-00fe39e2b791',
      name: 'Auditor',
      scopes: ['audit-events:read', 'sod-policies:read'],
      identityId: null,
      tenant: 'default',
      created: '2026-11-22T17:02:59.760Z',
      secret: 'shown in this answer alone',
    },
  },
} as const satisfies OperationExamples;
