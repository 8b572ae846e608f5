import type { AuditContext, AuditEvent, AuditLogHead, NewAuditEvent } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { inParts, inPieces } from '../../engine/concurrency/in-parts.ts';
import type { Database, Reads } from '../../engine/database.ts';
import { TenantRemoved } from '../../engine/errors.ts';
import { type Condition, compileFilter, type FilterFields } from '../../query/filter.ts';
import type { Page } from '../../query/page.ts';
import { countRows } from '../../query/total.ts';
import type { Tables } from '../../schema/tables.ts';
import { appendAuditEvents } from './append-event.ts';
import { rowToEvent } from './event-codec.ts';

/** A condition of a list, with one value; `actor` is the client or the identity of the event. */
export type AuditCondition =
  | Condition<'time', 'ge' | 'le'>
  | Condition<'actor' | 'operation' | 'resourceType' | 'resourceId' | 'outcome', 'eq'>;

/** The audit log of each tenant. Each write of this store records its change in the same transaction. */
export interface AuditStore {
  /** The sequences of the events that meet all conditions, ascending. */
  listSequences(tenant: string, conditions: readonly AuditCondition[], page: Page): Promise<readonly number[]>;
  count(tenant: string, conditions: readonly AuditCondition[]): Promise<number>;
  /** The events with these sequences, in the same order, a few at a time, because a page of them can have many megabytes. */
  read(tenant: string, sequences: readonly number[]): AsyncIterable<AuditEvent>;
  head(tenant: string): Promise<AuditLogHead>;
  /** All events by their sequence, as of the moment at which the first one is read. */
  export(tenant: string): AsyncIterable<AuditEvent>;
  /** Records a request that was refused because the caller lacked a right. */
  recordDenial(auditContext: AuditContext, resource: AuditEvent['resource']): Promise<void>;
  /** Records further requests of one tenant that were refused, as one event for each count. */
  recordRepeatedDenials(tenant: string, repeated: readonly RepeatedDenial[]): Promise<void>;
}

/** Refused requests of one kind. */
export interface RepeatedDenial {
  /** Of the last of them. */
  readonly auditContext: AuditContext;
  readonly resource: AuditEvent['resource'];
  readonly count: number;
}

// An event can have megabytes, most have less than a kilobyte.
const LENGTH_AT_ONCE = 256 * 1024;
const SIZES_AT_ONCE = 250;

export function createAuditStore(database: Database): AuditStore {
  return {
    listSequences: async (tenant, conditions, { limit, offset }) => {
      const rows = await database.read((db) => {
        const matches = db.selectFrom(matching(db, tenant, conditions).as('matching')).select('sequence');
        // Sequences have no gaps, so a page of all events begins at once however deep it is.
        const page =
          conditions.length === 0
            ? matches.where('sequence', '>=', sql<number>`${firstSequence(tenant)} + ${offset}`)
            : matches.offset(offset);
        return page.orderBy('sequence').limit(limit).execute();
      });
      return rows.map(({ sequence }) => sequence);
    },
    count: (tenant, conditions) =>
      database.read((db) => countRows(db.selectFrom(matching(db, tenant, conditions).as('matching')))),
    read: (tenant, sequences) => readAuditEvents(database, tenant, sequences),
    head: (tenant) => readHead(database, tenant),
    export: (tenant) => exportAuditEvents(database, tenant),
    recordDenial: (auditContext, resource) =>
      appendDenials(database, auditContext.tenant, [{ ...auditContext, resource, ...DENIED }]),
    recordRepeatedDenials: (tenant, repeated) => {
      const events = repeated.map(({ auditContext, ...denial }) => ({ ...auditContext, ...denial, ...DENIED }));
      // Counts of others must not wait until the tenant is removed.
      return appendDenials(database, tenant, events, { isCounted: true }).catch((error) => {
        if (!(error instanceof TenantRemoved)) throw error;
      });
    },
  };
}

const DENIED = { outcome: 'DENIED', changes: [] } as const;

async function appendDenials(
  database: Database,
  tenant: string,
  events: readonly NewAuditEvent[],
  { isCounted = false } = {},
): Promise<void> {
  await database.write({ tenant, changes: 'auditLog' }, async (trx) => {
    const own = isCounted ? await ofPresentTenant(trx, tenant, events) : events;
    await appendAuditEvents(
      trx,
      tenant,
      own.map((event) => ({ event, members: [] })),
    );
  });
}

/** Counts are kept for a minute or longer: their tenant may have been removed, and another one of its name made. */
async function ofPresentTenant(
  trx: Transaction<Tables>,
  tenant: string,
  events: readonly NewAuditEvent[],
): Promise<readonly NewAuditEvent[]> {
  // The first of their kind was recorded at once, so that the log has begun.
  const found = await trx
    .selectFrom('audit_head as head')
    .leftJoin('tenant', 'tenant.tenant', 'head.tenant')
    .select('tenant.created')
    .where('head.tenant', '=', tenant)
    .executeTakeFirst();
  return found === undefined ? [] : events.filter(({ time }) => time >= (found.created ?? ''));
}

/** Reads without a snapshot: nothing but an erasure changes an event. */
export async function* readAuditEvents(
  database: Pick<Reads, 'read'>,
  tenant: string,
  sequences: readonly number[],
): AsyncGenerator<AuditEvent> {
  for (const wanted of inParts(sequences, SIZES_AT_ONCE)) {
    const sizes = await database.read((db) => sizesOf(db, tenant).where('sequence', 'in', wanted).execute());
    yield* readInPieces(database, tenant, sizes);
  }
}

/** The end of a tenant's log, and its beginning. */
export const readHead = async ({ read }: Pick<Reads, 'read'>, tenant: string): Promise<AuditLogHead> => {
  const head = await read((db) =>
    db.selectFrom('audit_head').selectAll().where('tenant', '=', tenant).executeTakeFirst(),
  );
  return head === undefined
    ? { sequence: 0, hash: null, firstSequence: 1, previousHash: null }
    : {
        sequence: head.sequence,
        hash: head.hash,
        firstSequence: head.first_sequence,
        previousHash: head.first_previous_hash,
      };
};

/**
 * Reads all events behind a sequence up to the head of one instant, without a snapshot; where an erasure has changed some of them,
 * up to a later head, so that the events that attest it are among them. Throws where those that come next are archived and removed
 * meanwhile.
 */
export async function* exportAuditEvents(database: Database, tenant: string, behind = 0): AsyncGenerator<AuditEvent> {
  for (let after = behind, isErased = true; isErased; ) {
    isErased = false;
    for await (const event of exportToHead(database, tenant, after)) {
      yield event;
      after = event.sequence;
      if (event.erased !== undefined) isErased = true;
    }
  }
}

async function* exportToHead(database: Database, tenant: string, behind: number): AsyncGenerator<AuditEvent> {
  const { sequence: head } = await readHead(database, tenant);
  let last: number | null = null;
  for (;;) {
    const after: number = last ?? behind;
    const sizes = await database.read((db) =>
      sizesOf(db, tenant).where('sequence', '>', after).where('sequence', '<=', head).limit(SIZES_AT_ONCE).execute(),
    );
    for await (const event of readInPieces(database, tenant, sizes)) {
      if (last !== null && event.sequence > last + 1) await refuseArchived(database, tenant, last + 1);
      yield event;
      last = event.sequence;
    }
    if (sizes.length < SIZES_AT_ONCE) break;
  }
  if (last !== null && last < head) await refuseArchived(database, tenant, last + 1);
}

async function refuseArchived(database: Database, tenant: string, sequence: number): Promise<void> {
  const { firstSequence } = await readHead(database, tenant);
  if (sequence < firstSequence) throw new Error('Audit events were archived and removed while they were read.');
}

interface EventSize {
  readonly sequence: number;
  readonly size: number;
}

/** The lengths of the changes of events, for pieces of bounded size. Neither engine reads the changes themselves for it. */
export const sizesOf = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('audit_event')
    .select(['sequence', sql<number>`octet_length(changes)`.as('size')])
    .where('tenant', '=', tenant)
    .orderBy('sequence');

async function* readInPieces(
  { read }: Pick<Reads, 'read'>,
  tenant: string,
  sizes: readonly EventSize[],
): AsyncGenerator<AuditEvent> {
  for (const piece of inPieces(sizes, { sizeOf: ({ size }) => size, sizeMax: LENGTH_AT_ONCE })) {
    const sequences = piece.map(({ sequence }) => sequence);
    const rows = await read((db) =>
      db
        .selectFrom('audit_event')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('sequence', 'in', sequences)
        .orderBy('sequence')
        .execute(),
    );
    for (const row of rows) yield rowToEvent(row);
  }
}

type Conditions = readonly AuditCondition[];

const firstSequence = (tenant: string) => sql`(select min(sequence) from audit_event where tenant = ${tenant})`;

/**
 * The sequences of the events that meet all conditions. When no index serves all of them, SQLite would scan the whole log.
 * Therefore a selective condition is answered from its indexes, and the others are evaluated on these events.
 */
function matching(db: Kysely<Tables>, tenant: string, conditions: Conditions) {
  const events = db.selectFrom('audit_event').select('sequence').where('tenant', '=', tenant);
  const narrow = narrowOf(conditions);
  if (narrow === null) return events.where(compileFilter(fieldsOf(tenant), conditions));
  const { field, value, others } = narrow;
  const sequences =
    field === 'actor'
      ? events.where('client_id', '=', value).union(events.where('identity_id', '=', value))
      : events
          .where('resource_id', '=', value)
          .union(
            db
              .selectFrom('audit_event_member')
              .select('sequence')
              .where('tenant', '=', tenant)
              .where('resource_id', '=', value),
          );
  if (others.length === 0) return sequences;
  const ofThese = db
    .selectFrom(sequences.as('narrow'))
    .innerJoin('audit_event', 'audit_event.sequence', 'narrow.sequence')
    .select('narrow.sequence')
    .where('tenant', '=', tenant);
  return ofThese.where(compileFilter(fieldsOf(tenant), others));
}

/** The first condition on a selective field: one value of it matches few events. */
function narrowOf(conditions: Conditions) {
  for (const field of ['resourceId', 'actor'] as const) {
    const narrow = conditions.find((condition) => condition.field === field);
    if (narrow !== undefined)
      return { field, value: narrow.values[0] ?? '', others: conditions.filter((condition) => condition !== narrow) };
  }
  return null;
}

// A subquery names its tenant by a parameter, as its statement does.
const fieldsOf = (tenant: string): FilterFields<AuditCondition> => ({
  time: 'time',
  operation: 'operation',
  resourceType: 'resource_type',
  outcome: 'outcome',
  actor: ({ values: [id] }) => sql`(client_id = ${id} or identity_id = ${id})`,
  resourceId: ({ values: [id] }) => sql`(audit_event.resource_id = ${id} or exists (
    select 1 from audit_event_member as member where member.tenant = ${tenant}
      and member.sequence = audit_event.sequence and member.resource_id = ${id}))`,
});
