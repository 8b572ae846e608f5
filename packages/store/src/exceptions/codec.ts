import type { SodExceptionRecord } from '@access-admin/domain';
import type { SodExceptionRow } from '../schema/tables.ts';

export const exceptionToRow = (tenant: string, exception: SodExceptionRecord): SodExceptionRow => ({
  tenant,
  id: exception.id,
  policy_id: exception.policyId,
  identity_id: exception.identityId,
  starts: exception.start,
  ends: exception.end,
  justification: exception.justification,
  requester_id: exception.requesterId,
  created: exception.created,
  approver_id: exception.approverId,
  approved: exception.approved,
  revoker_id: exception.revokerId,
  revoked: exception.revoked,
  voided: exception.voided,
  approved_terms: exception.approvedConflict?.policy ?? null,
  approved_items: exception.approvedConflict === null ? null : JSON.stringify(exception.approvedConflict.items),
});

export const rowToException = (row: SodExceptionRow): SodExceptionRecord => ({
  id: row.id,
  policyId: row.policy_id,
  identityId: row.identity_id,
  start: row.starts,
  end: row.ends,
  justification: row.justification,
  requesterId: row.requester_id,
  created: row.created,
  approverId: row.approver_id,
  approved: row.approved,
  revokerId: row.revoker_id,
  revoked: row.revoked,
  voided: row.voided,
  approvedConflict:
    row.approved_terms === null || row.approved_items === null
      ? null
      : { policy: row.approved_terms, items: JSON.parse(row.approved_items) },
});
