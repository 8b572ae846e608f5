import type { AuditEvent } from '@access-admin/domain';
import { rowToEvent } from '../record/audit/event-codec.ts';
import { readAuditEvents } from '../record/audit/store.ts';
import {
  type PersonReads,
  type Row,
  readEventRows,
  readIndexedSequences,
  readOtherAuditRows,
  readRows,
} from './read-rows.ts';
import { camelCase, JSON_COLUMNS, PERSON_SOURCES } from './sources.ts';

/** One thing that names a person: `kind` tells what it is. */
export interface PersonRecord {
  readonly kind: string;
  readonly [property: string]: unknown;
}

/** All that names a person, as of the moments at which it is read. What indexes find comes before what a search of the logs finds. */
export async function* readPerson(reads: PersonReads): AsyncGenerator<PersonRecord> {
  for (const source of PERSON_SOURCES)
    for await (const rows of readRows(reads, source))
      for (const row of rows) yield { kind: source.kind, ...shown(row, source.columns) };
  const { id, tenant } = reads.person;
  for await (const sequences of readIndexedSequences(reads))
    for await (const event of readAuditEvents(reads, tenant, sequences)) yield auditRecord(event, id);
  for await (const rows of readEventRows(reads))
    for (const { sequence, id, type, resource_id: resourceId, time, data } of rows)
      yield { kind: 'event', sequence, id, type, time, resourceId, data: data === null ? null : JSON.parse(data) };
  for await (const rows of readOtherAuditRows(reads)) for (const row of rows) yield auditRecord(rowToEvent(row), id);
}

/** The properties of a record. `kind` tells what the record is, and so a column of that name is shown as `type`. */
const shown = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(
    columns.map((column) => [column === 'kind' ? 'type' : camelCase(column), unpacked(column, row[column])]),
  );

const unpacked = (column: string, value: unknown): unknown =>
  typeof value === 'string' && JSON_COLUMNS.has(column) ? JSON.parse(value) : (value ?? null);

const auditRecord = (event: AuditEvent, id: string): PersonRecord => ({
  kind: 'auditEvent',
  ...withoutOthers(event, id),
});

/** An event of the access and attributes of many identities has one change for each of them. */
const withoutOthers = (event: AuditEvent, id: string): AuditEvent =>
  event.resource.type === 'IDENTITY' && event.resource.id === null
    ? { ...event, changes: event.changes.filter(({ field }) => field === id) }
    : event;
