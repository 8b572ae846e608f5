import type { AuditEvent } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { type ClaimRequest, createLeasedQueue } from '../../queue/queue.ts';
import { exportAuditEvents } from './store.ts';

/** A log that a worker streams until its lease ends, from the event after `sequence` on. */
export interface AuditStreamClaim {
  readonly tenant: string;
  readonly fence: number;
  readonly sequence: number;
}

/** The streams of audit logs: each tenant has a cursor. */
export interface AuditStreamStore {
  /** Claims logs with events behind their cursors, as `LeasedQueue` describes it. */
  claim(request: ClaimRequest): Promise<readonly AuditStreamClaim[]>;
  /** Returns the claims that are still held. */
  renew(claims: readonly AuditStreamClaim[], leaseEndMs: number): Promise<readonly AuditStreamClaim[]>;
  release(claim: AuditStreamClaim, availableAtMs: number): Promise<void>;
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
    claim: async (request) =>
      (await queue.claim(request)).map(({ tenant, fence, sequence }) => ({ tenant, fence, sequence })),
    renew: async (claims, leaseEndMs) => {
      const held = await queue.renew(
        claims.map((claim) => ({ ...keyOf(claim), claim })),
        leaseEndMs,
      );
      return held.map(({ claim }) => claim);
    },
    release: (claim, availableAtMs) => queue.release([keyOf(claim)], { availableAtMs, isAttempt: false }),
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

const keyOf = ({ tenant, fence }: AuditStreamClaim) => ({ tenant, id: tenant, fence });
