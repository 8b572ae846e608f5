import type { AuditEvent } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { createLeases, type Leases } from '../../queue/leases.ts';
import { createLeasedQueue } from '../../queue/queue.ts';
import { exportAuditEvents } from './store.ts';

/** A log that a worker streams until its lease ends, from the event after `sequence` on. */
export interface AuditStreamClaim {
  readonly tenant: string;
  readonly fence: number;
  readonly sequence: number;
}

/** The streams of audit logs: each tenant has a cursor, and a log with events behind it can be claimed. */
export interface AuditStreamStore extends Leases<AuditStreamClaim> {
  /** The events behind the cursor of a claim, up to the present end of the log. */
  read(claim: AuditStreamClaim): AsyncIterable<AuditEvent>;
  /** Moves the cursor to an event; false when another worker has the log. */
  advance(claim: AuditStreamClaim, sequence: number): Promise<boolean>;
}

export function createAuditStreamStore(database: Database): AuditStreamStore {
  const queue = createLeasedQueue(database, {
    name: 'audit_stream',
    id: 'tenant',
    pending: (_, tenant) => sql<boolean>`exists (select 1 from audit_head
      where audit_head.tenant = ${tenant} and audit_head.sequence > audit_stream.sequence)`,
    sharedPerAlone: null,
    order: 'tenant',
    arisesFrom: ['any'],
  });
  return {
    ...createLeases(queue, {
      toClaim: ({ tenant, fence, sequence }): AuditStreamClaim => ({ tenant, fence, sequence }),
      keyOf: ({ tenant, fence }) => ({ tenant, id: tenant, fence }),
    }),
    read: ({ tenant, sequence }) => exportAuditEvents(database, tenant, sequence),
    advance: ({ tenant, fence }, sequence) =>
      database.write({ tenant, changes: 'auditStream' }, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('audit_stream')
          .set({ sequence })
          .where('tenant', '=', tenant)
          .where('fence', '=', fence)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),
  };
}
