import type { AuditEvent } from '@access-admin/domain';
import type { AuditEventRow } from '../../schema/tables.ts';
import { unpackChanges, unpackCount } from './changes-codec.ts';

/** An event as it was recorded. */
export const rowToEvent = (row: AuditEventRow): AuditEvent => ({
  sequence: row.sequence,
  time: row.time,
  tenant: row.tenant,
  actor: { clientId: row.client_id, identityId: row.identity_id },
  operation: row.operation,
  resource: { type: row.resource_type as AuditEvent['resource']['type'], id: row.resource_id },
  outcome: row.outcome as AuditEvent['outcome'],
  changes: unpackChanges(row.changes),
  ...unpackCount(row.changes),
  trackingId: row.tracking_id,
  previousHash: row.previous_hash,
  hash: row.hash,
  ...(row.erased === null ? {} : { erased: JSON.parse(row.erased) }),
});
