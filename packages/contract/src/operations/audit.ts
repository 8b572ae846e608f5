import type { OperationRights } from '@access-admin/domain';
import { AUDIT_FILTERS, auditEvent, auditEvents, auditHead } from '../schemas/audit.ts';
import { defineOperation, jsonResponse, ndjsonResponse } from './define-operation.ts';

const group = 'Audit Events';

const READ: OperationRights = {
  scopes: ['audit-events:read'],
  capabilities: ['ORG_ADMIN', 'das:ui-auditor'],
  resource: 'AUDIT_EVENT',
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
  }),
  head: defineOperation({
    id: 'get-audit-head-v1',
    method: 'GET',
    path: '/audit-events/v1/head',
    group,
    summary: 'The last event, signed: shows whether the end of an export was cut',
    description:
      'Returns sequence and hash of the last audit event, signed with the key that signs tokens. With it, `audit-verify` shows whether the end of an export is missing. `firstSequence` and `previousHash` tell where the log begins, after events that were archived and removed.',
    rights: READ,
    response: jsonResponse(auditHead),
  }),
} as const;
