import type { OperationRights } from '@access-admin/domain';
import { AUDIT_FILTERS, auditEvent, auditEvents, auditHead } from '../schemas/audit.ts';
import { defineOperation, jsonResponse, ndjsonResponse } from './define-operation.ts';

const group = 'Audit Events';

const READ: OperationRights = {
  scopes: ['audit-events:read'],
  capabilities: ['ORG_ADMIN', 'das:ui-auditor'],
  resource: 'AUDIT_EVENT',
};

const NONE = { created: 0, updated: 0, deleted: 0, unchanged: 0 };

const IMPORTED = {
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
        accessProfile: { ...NONE, created: 35 },
        entitlement: { ...NONE, created: 105 },
        source: NONE,
        identity: { ...NONE, created: 300 },
        account: NONE,
        identityProfile: { ...NONE, created: 4 },
        role: { ...NONE, created: 33 },
        sodPolicy: { ...NONE, created: 46 },
        uiMetadata: { ...NONE, created: 1 },
        branding: NONE,
        lockoutConfig: NONE,
        sessionConfig: NONE,
        networkConfig: NONE,
      },
    },
  ],
  trackingId: 'b4ce885f9998efa0e9786f1b9efc2c8f',
  previousHash: null,
  hash: 'a283dab2a231512370fd1905f59916b5fc0b153ff631c6e506c98a4ae3a7219a',
};

/** The operations on the audit log. */
export const AUDIT = {
  list: defineOperation({
    id: 'list-audit-events-v1',
    method: 'GET',
    path: '/audit-events/v1',
    group,
    summary: 'List of audit events, changes and denied requests, by sequence',
    description:
      'Lists the audit events of the tenant by sequence: every change and every refused request, with who called and what changed.',
    rights: READ,
    list: true,
    filters: AUDIT_FILTERS,
    response: jsonResponse(auditEvents),
    example: {
      query: {
        limit: 1,
      },
      response: [IMPORTED],
    },
  }),
  export: defineOperation({
    id: 'export-audit-events-v1',
    method: 'GET',
    path: '/audit-events/v1/export',
    group,
    summary: 'All events, one a line, as audit-verify checks them',
    description:
      'Returns all audit events, one a line (NDJSON). Each contains the hash of the one before it; `audit-verify` verifies the export without the service.',
    rights: READ,
    response: ndjsonResponse(auditEvent),
    example: {
      response: [IMPORTED],
    },
  }),
  head: defineOperation({
    id: 'get-audit-head-v1',
    method: 'GET',
    path: '/audit-events/v1/head',
    group,
    summary: 'The last event, signed: shows whether the end of an export was cut',
    description:
      'Returns sequence and hash of the last audit event, signed with the key that signs tokens. With it, `audit-verify` shows whether the end of an export is missing.',
    rights: READ,
    response: jsonResponse(auditHead),
    example: {
      response: {
        sequence: 261,
        hash: 'cb35c15be03e7d2668966fc227c318e73cc28aa7472a49e38673e2299759bbe9',
        signature: 'a compact JWS',
      },
    },
  }),
} as const;
