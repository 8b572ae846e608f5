import { AUDIT_FILTERS, auditEvent, auditEvents, auditHead } from '../../schemas/administration/audit-events.ts';
import { defaults, jsonResponse, ndjsonResponse, type Operation } from '../definition.ts';

const group = 'Audit Events';

/** The operations on the audit log. */
export const AUDIT_EVENT_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'list-audit-events-v1',
    method: 'GET',
    path: '/audit-events/v1',
    group,
    summary: 'List of audit events, changes and denied requests, by sequence',
    response: jsonResponse(auditEvents),
    list: true,
    filters: AUDIT_FILTERS,
  },
  {
    ...defaults,
    id: 'export-audit-events-v1',
    method: 'GET',
    path: '/audit-events/v1/export',
    group,
    summary: 'All events, one a line, as audit-verify checks them',
    response: ndjsonResponse(auditEvent),
  },
  {
    ...defaults,
    id: 'get-audit-head-v1',
    method: 'GET',
    path: '/audit-events/v1/head',
    group,
    summary: 'The last event, signed: shows whether the end of an export was cut',
    response: jsonResponse(auditHead),
  },
];
