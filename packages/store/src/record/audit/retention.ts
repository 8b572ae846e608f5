import type { AuditEvent, AuditHead, AuditLogHead } from '@access-admin/domain';
import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { deleteSome } from '../../query/delete-some.ts';
import { exportAuditEvents } from './store.ts';

/** A log whose first event may be archived. */
export interface ExpiredAuditLog extends Pick<AuditLogHead, 'firstSequence' | 'previousHash'> {
  readonly tenant: string;
  /** The last event that has been streamed; 0 before the first. */
  readonly streamed: number;
}

/** The retention of audit logs: events are archived from the first one on, then removed. */
export interface AuditRetentionStore {
  /** The logs whose first event is older than this time. */
  listExpired(before: string): Promise<readonly ExpiredAuditLog[]>;
  /** All events from the first one on. */
  read(log: ExpiredAuditLog): AsyncIterable<AuditEvent>;
  /** Notes that the events up to `last` are archived, so that the log begins after it; false where another worker has. */
  begin(log: ExpiredAuditLog, last: AuditHead): Promise<boolean>;
  /** Removes some events that are archived; true when there may be more. */
  removeArchived(): Promise<boolean>;
}

// One call is bounded, however many tenants there are; other writes run between two.
const TENANTS_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;

export function createAuditRetentionStore(database: Database): AuditRetentionStore {
  const { read, write } = database;
  return {
    listExpired: async (before) => {
      const { rows } = await read((db) =>
        sql<ExpiredAuditLog>`
          select audit_head.tenant, audit_head.first_sequence as "firstSequence",
            audit_head.first_previous_hash as "previousHash",
            coalesce(audit_stream.sequence, 0) as streamed
          from audit_head
          join audit_event on audit_event.tenant = audit_head.tenant and audit_event.sequence = audit_head.first_sequence
          left join audit_stream on audit_stream.tenant = audit_head.tenant
          where audit_event.time < ${before}
          order by audit_head.tenant`.execute(db),
      );
      return rows;
    },
    read: ({ tenant, firstSequence }) => exportAuditEvents(database, tenant, firstSequence - 1),
    begin: ({ tenant, firstSequence }, { sequence, hash }) =>
      write({ tenant, changes: 'auditLog', isSweep: true }, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('audit_head')
          .set({ first_sequence: sequence + 1, first_previous_hash: hash })
          .where('tenant', '=', tenant)
          .where('first_sequence', '=', firstSequence)
          .where('sequence', '>=', sequence)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),
    removeArchived: async () => {
      const tenants = await findArchived(database);
      for (const tenant of tenants) await removeSome(database, tenant);
      return tenants.length > 0;
    },
  };
}

async function findArchived({ read }: Database): Promise<readonly string[]> {
  const { rows } = await read((db) =>
    sql<{ readonly tenant: string }>`
      select audit_head.tenant from audit_head where exists (
        select 1 from audit_event
        where audit_event.tenant = audit_head.tenant and audit_event.sequence < audit_head.first_sequence
      ) limit ${TENANTS_AT_ONCE}`.execute(db),
  );
  return rows.map(({ tenant }) => tenant);
}

const removeSome = ({ write }: Database, tenant: string): Promise<void> =>
  write({ tenant, changes: 'auditLog', isSweep: true }, async (trx) => {
    const head = await trx
      .selectFrom('audit_head')
      .select('first_sequence')
      .where('tenant', '=', tenant)
      .executeTakeFirst();
    const own = sql<boolean>`tenant = ${tenant} and sequence < ${head?.first_sequence ?? 0}`;
    const members = { table: 'audit_event_member', key: ['resource_id', 'sequence'], own };
    const events = { table: 'audit_event', key: ['sequence'], own };
    // The events go last: they tell that there is something to remove.
    if ((await deleteSome(trx, members, ROWS_AT_ONCE)) < ROWS_AT_ONCE) await deleteSome(trx, events, ROWS_AT_ONCE);
  });
