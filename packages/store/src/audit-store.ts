import type { Act, AuditEvent, AuditHead } from '@access-admin/domain';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { appendAuditEvent } from './append-audit-event.ts';
import type { Database } from './database.ts';
import type { Page } from './store.ts';
import type { AuditEventRow, Tables } from './tables.ts';

/** What an event must meet to be listed; `actor` is its client or its identity. */
export type AuditCondition =
  | { readonly field: 'time'; readonly operator: 'ge' | 'le'; readonly value: string }
  | {
      readonly field: 'actor' | 'operation' | 'resourceType' | 'resourceId' | 'outcome';
      readonly operator: 'eq';
      readonly value: string;
    };

/** The audit log of each tenant. Whatever changes data in this store puts that on record itself, in the same transaction. */
export interface AuditStore {
  /** The events that meet all conditions, by their sequence. */
  list(tenant: string, conditions: readonly AuditCondition[], page: Page): Promise<readonly AuditEvent[]>;
  count(tenant: string, conditions: readonly AuditCondition[]): Promise<number>;
  head(tenant: string): Promise<AuditHead>;
  /** All events by their sequence, from one consistent snapshot. */
  export(tenant: string): AsyncIterable<AuditEvent>;
  /** Puts on record that somebody was refused for want of rights. */
  recordDenial(act: Act, resource: AuditEvent['resource']): Promise<void>;
}

// An event can have 50 KB.
const EXPORT_PAGE_ROWS = 20;

export function createAuditStore(database: Database): AuditStore {
  return {
    list: async (tenant, conditions, { limit, offset }) => {
      const rows = await database.read((db) =>
        matching(db, tenant, conditions).selectAll().orderBy('sequence').limit(limit).offset(offset).execute(),
      );
      return rows.map(rowToEvent);
    },
    count: async (tenant, conditions) => {
      const row = await database.read((db) =>
        matching(db, tenant, conditions)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      );
      return row.count;
    },
    head: async (tenant) =>
      (await database.read((db) =>
        db.selectFrom('audit_head').select(['sequence', 'hash']).where('tenant', '=', tenant).executeTakeFirst(),
      )) ?? { sequence: 0, hash: null },
    export: (tenant) => exportAuditEvents(database, tenant),
    recordDenial: (act, resource) =>
      database.write({ tenant: act.tenant }, (trx) =>
        appendAuditEvent(trx, { ...act, resource, outcome: 'DENIED', changes: [] }),
      ),
  };
}

/** From one moment, in the order of the log. */
async function* exportAuditEvents(database: Database, tenant: string): AsyncGenerator<AuditEvent> {
  await using snapshot = await database.openSnapshot('export');
  for (let after = 0; ; ) {
    const rows = await snapshot.read((db) =>
      db
        .selectFrom('audit_event')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('sequence', '>', after)
        .orderBy('sequence')
        .limit(EXPORT_PAGE_ROWS)
        .execute(),
    );
    for (const row of rows) yield rowToEvent(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE_ROWS) return;
    after = last.sequence;
  }
}

type AuditQuery = SelectQueryBuilder<Tables, 'audit_event', object>;

function matching(db: Kysely<Tables>, tenant: string, conditions: readonly AuditCondition[]): AuditQuery {
  let query: AuditQuery = db.selectFrom('audit_event').where('tenant', '=', tenant);
  for (const { field, operator, value } of conditions) {
    if (field === 'actor')
      query = query.where((eb) => eb.or([eb('client_id', '=', value), eb('identity_id', '=', value)]));
    else query = query.where(COLUMNS[field], OPERATORS[operator], value);
  }
  return query;
}

const COLUMNS = {
  time: 'time',
  operation: 'operation',
  resourceType: 'resource_type',
  resourceId: 'resource_id',
  outcome: 'outcome',
} as const;
const OPERATORS = { eq: '=', ge: '>=', le: '<=' } as const;

const rowToEvent = (row: AuditEventRow): AuditEvent => ({
  sequence: row.sequence,
  time: row.time,
  tenant: row.tenant,
  actor: { clientId: row.client_id, identityId: row.identity_id },
  operation: row.operation,
  resource: { type: row.resource_type as AuditEvent['resource']['type'], id: row.resource_id },
  outcome: row.outcome as AuditEvent['outcome'],
  changes: JSON.parse(row.changes),
  trackingId: row.tracking_id,
  previousHash: row.previous_hash,
  hash: row.hash,
});
