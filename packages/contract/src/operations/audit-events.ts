import * as v from 'valibot';
import { AUDIT_FILTERS, auditEvent, auditHead } from '../schemas/audit-events.ts';
import { answer, type Operation, plain } from './definition.ts';

const group = 'Audit Events';

/** The operations on the audit log. */
export const AUDIT_EVENT_OPERATIONS: readonly Operation[] = [
  {
    ...plain,
    id: 'list-audit-events-v1',
    method: 'GET',
    path: '/audit-events/v1',
    group,
    summary: 'What was changed and who was refused, by sequence',
    answer: answer(v.array(auditEvent)),
    list: true,
    filters: AUDIT_FILTERS,
  },
  {
    ...plain,
    id: 'export-audit-events-v1',
    method: 'GET',
    path: '/audit-events/v1/export',
    group,
    summary: 'All events, one a line, as audit-verify checks them',
    answer: { status: 200, mediaType: 'application/x-ndjson', schema: null },
  },
  {
    ...plain,
    id: 'get-audit-head-v1',
    method: 'GET',
    path: '/audit-events/v1/head',
    group,
    summary: 'The last event, signed: shows whether the end of an export was cut',
    answer: answer(auditHead),
  },
];
