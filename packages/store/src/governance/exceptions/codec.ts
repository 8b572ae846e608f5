import type { ExceptionDates, HeldConflict, SeenConflict, SodExceptionRecord } from '@access-admin/domain';
import type { SodExceptionRow } from '../../schema/tables.ts';

export const exceptionToRow = (
  tenant: string,
  exception: SodExceptionRecord,
): Omit<SodExceptionRow, 'identity_created_ms' | 'policy_created'> => ({
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
  requested_digest: exception.requestedDigest,
  terms: exception.approvedConflict === null ? null : JSON.stringify(exception.approvedConflict.terms),
  decisions: JSON.stringify(exception.decisions),
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
  approvedConflict: rowToSeenConflict(row),
  requestedDigest: row.requested_digest,
  decisions: JSON.parse(row.decisions),
});

/** What the state of an exception depends on. */
export const rowToDates = ({
  ends: end,
  approved,
  revoked,
  voided,
}: Pick<SodExceptionRow, 'ends' | 'approved' | 'revoked' | 'voided'>): ExceptionDates => ({
  end,
  approved,
  revoked,
  voided,
});

/** The conflict to which an approval is bound; null where there is no approval. */
export const rowToApprovedConflict = ({
  approved_terms: policy,
  approved_items: items,
}: Pick<SodExceptionRow, 'approved_terms' | 'approved_items'>): HeldConflict | null =>
  policy === null || items === null ? null : { policy, items: JSON.parse(items) };

function rowToSeenConflict(row: SodExceptionRow): SeenConflict | null {
  const conflict = rowToApprovedConflict(row);
  return conflict === null || row.terms === null
    ? null
    : { policy: conflict.policy, items: conflict.items, terms: JSON.parse(row.terms) };
}
