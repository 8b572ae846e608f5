import type { AuditContext, AuditEvent, AuditHead } from '@access-admin/domain';
import { type Expression, expressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Page } from '../rows/page.ts';
import type { AuditEventRow, Tables } from '../schema/tables.ts';
import { appendAuditEvent } from './append-event.ts';

/** A condition of a list; `actor` is the client or the identity of the event. */
export type AuditCondition =
  | { readonly field: 'time'; readonly operator: 'ge' | 'le'; readonly value: string }
  | {
      readonly field: 'actor' | 'operation' | 'resourceType' | 'resourceId' | 'outcome';
      readonly operator: 'eq';
      readonly value: string;
    };

/** The audit log of each tenant. Each write of this store records its change in the same transaction. */
export interface AuditStore {
  /** The sequences of the events that meet all conditions, ascending. */
  listSequences(tenant: string, conditions: readonly AuditCondition[], page: Page): Promise<readonly number[]>;
  count(tenant: string, conditions: readonly AuditCondition[]): Promise<number>;
  /** The events with these sequences, in the same order, a few at a time, because a page of them can have 13 MB. */
  read(tenant: string, sequences: readonly number[]): AsyncIterable<AuditEvent>;
  head(tenant: string): Promise<AuditHead>;
  /** All events by their sequence, from one consistent snapshot. */
  export(tenant: string): AsyncIterable<AuditEvent>;
  /** Records a request that was refused because the caller lacked a right. */
  recordDenial(auditContext: AuditContext, resource: AuditEvent['resource']): Promise<void>;
}

// An event can have 50 KB.
const ROWS_AT_ONCE = 20;

export function createAuditStore(database: Database): AuditStore {
  return {
    listSequences: async (tenant, conditions, { limit, offset }) => {
      const rows = await database.read((db) =>
        db
          .selectFrom(matching(db, tenant, conditions).as('matching'))
          .select('sequence')
          .orderBy('sequence')
          .limit(limit)
          .offset(offset)
          .execute(),
      );
      return rows.map(({ sequence }) => sequence);
    },
    count: async (tenant, conditions) => {
      const row = await database.read((db) =>
        db
          .selectFrom(matching(db, tenant, conditions).as('matching'))
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      );
      return row.count;
    },
    read: (tenant, sequences) => readEvents(database, tenant, sequences),
    head: async (tenant) =>
      (await database.read((db) =>
        db.selectFrom('audit_head').select(['sequence', 'hash']).where('tenant', '=', tenant).executeTakeFirst(),
      )) ?? { sequence: 0, hash: null },
    export: (tenant) => exportAuditEvents(database, tenant),
    recordDenial: (auditContext, resource) =>
      database.write({ tenant: auditContext.tenant, changes: 'auditLog' }, (trx) =>
        appendAuditEvent(trx, { ...auditContext, resource, outcome: 'DENIED', changes: [] }),
      ),
  };
}

/** Reads without a snapshot, because events never change. */
async function* readEvents(
  database: Database,
  tenant: string,
  sequences: readonly number[],
): AsyncGenerator<AuditEvent> {
  for (let at = 0; at < sequences.length; at += ROWS_AT_ONCE) {
    const wanted = sequences.slice(at, at + ROWS_AT_ONCE);
    const rows = await database.read((db) =>
      db
        .selectFrom('audit_event')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('sequence', 'in', wanted)
        .orderBy('sequence')
        .execute(),
    );
    for (const row of rows) yield rowToEvent(row);
  }
}

/** Reads all events as of one instant, in the order of the log. */
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
        .limit(ROWS_AT_ONCE)
        .execute(),
    );
    for (const row of rows) yield rowToEvent(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = last.sequence;
  }
}

type Conditions = readonly AuditCondition[];

/** Selective fields, with their columns: one value matches few events. */
const NARROW = { resourceId: ['resource_id'], actor: ['client_id', 'identity_id'] } as const;

/**
 * The sequences of the events that meet all conditions. When no index serves all of them, SQLite would scan the whole log.
 * Therefore a selective condition is answered from its indexes, and the others are evaluated on these events.
 */
function matching(db: Kysely<Tables>, tenant: string, conditions: Conditions) {
  const events = db.selectFrom('audit_event').select('sequence').where('tenant', '=', tenant);
  const narrow = narrowOf(conditions);
  if (narrow === null) return conditions.reduce((query, condition) => query.where(meets(condition)), events);
  const { columns, value, others } = narrow;
  const sequences = columns.map((column) => events.where(column, '=', value)).reduce((some, more) => some.union(more));
  if (others.length === 0) return sequences;
  const ofThese = db
    .selectFrom(sequences.as('narrow'))
    .innerJoin('audit_event', 'audit_event.sequence', 'narrow.sequence')
    .select('narrow.sequence')
    .where('tenant', '=', tenant);
  return others.reduce((query, condition) => query.where(meets(condition)), ofThese);
}

function narrowOf(conditions: Conditions) {
  for (const [field, columns] of Object.entries(NARROW)) {
    const narrow = conditions.find((condition) => condition.field === field);
    if (narrow !== undefined)
      return { columns, value: narrow.value, others: conditions.filter((condition) => condition !== narrow) };
  }
  return null;
}

const event = expressionBuilder<Tables, 'audit_event'>();

const meets = ({ field, operator, value }: AuditCondition): Expression<SqlBool> =>
  field === 'actor'
    ? event.or([event('client_id', '=', value), event('identity_id', '=', value)])
    : event(COLUMNS[field], OPERATORS[operator], value);

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
