import { type RawBuilder, sql } from 'kysely';
import { inPieces } from '../engine/concurrency/in-parts.ts';
import type { Pause } from '../engine/concurrency/pauses.ts';
import type { Reads } from '../engine/database.ts';
import type { AuditEventRow, EventRow } from '../schema/tables.ts';
import { namesInJson, type Person, type PersonSource } from './sources.ts';

/** Whose rows are read, and how. */
export interface PersonReads extends Pick<Reads, 'read'> {
  readonly pause: Pause;
  readonly person: Person;
}

export type Row = Readonly<Record<string, unknown>>;
type Key = readonly unknown[];

// A check can have megabytes.
const ROWS_AT_ONCE = 20;
/** How many rows a statement looks at where no index finds those of the person. */
const WINDOW = 1_000;
const LENGTH_AT_ONCE = 256 * 1024;
const ENTRIES_AT_ONCE = 250;

/** The rows of a source that name the person, a few at a time, with their key. */
export async function* readRows(
  reads: PersonReads,
  source: Pick<PersonSource, 'table' | 'columns' | 'key' | 'isOf' | 'reading'>,
): AsyncGenerator<readonly Row[]> {
  if (source.reading !== 'scanned') return yield* readBetween(reads, source, { after: null, to: null });
  for (let after: Key | null = null; ; ) {
    const to = await findEndOfWindow(reads, source, after);
    yield* readBetween(reads, source, { after, to });
    if (to === null) return;
    after = to;
  }
}

/** The key up to which the next window goes; null for the rest of the table. */
async function findEndOfWindow(
  { read, pause, person }: PersonReads,
  { table, key }: Pick<PersonSource, 'table' | 'key'>,
  after: Key | null,
): Promise<Key | null> {
  await pause();
  const keys = columnsOf(key);
  const { rows } = await read((db) =>
    sql<Row>`select ${keys} from ${sql.table(table)} where tenant = ${person.tenant} ${isBehind(key, after)}
      order by ${keys} limit 1 offset ${sql.lit(WINDOW - 1)}`.execute(db),
  );
  return rows[0] === undefined ? null : keyOf(key, rows[0]);
}

async function* readBetween(
  { read, pause, person }: PersonReads,
  { table, columns, key, isOf, reading }: Pick<PersonSource, 'table' | 'columns' | 'key' | 'isOf' | 'reading'>,
  { after, to }: { readonly after: Key | null; readonly to: Key | null },
): AsyncGenerator<readonly Row[]> {
  const keys = columnsOf(key);
  const selected = columnsOf([...new Set([...columns, ...key])]);
  const upTo = to === null ? sql`` : sql`and (${keys}) <= (${sql.join(to)})`;
  const page = reading === 'few' ? sql`` : sql`order by ${keys} limit ${sql.lit(ROWS_AT_ONCE)}`;
  for (let behind = after; ; ) {
    await pause();
    const { rows } = await read((db) =>
      sql<Row>`select ${selected} from ${sql.table(table)}
        where tenant = ${person.tenant} and ${isOf(person)} ${isBehind(key, behind)} ${upTo} ${page}`.execute(db),
    );
    yield rows;
    const last = rows.at(-1);
    if (reading === 'few' || last === undefined || rows.length < ROWS_AT_ONCE) return;
    behind = keyOf(key, last);
  }
}

const columnsOf = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(column)));

const keyOf = (key: readonly string[], row: Row): Key => key.map((column) => row[column]);

const isBehind = (key: readonly string[], after: Key | null): RawBuilder<unknown> =>
  after === null ? sql`` : sql`and (${columnsOf(key)}) > (${sql.join(after)})`;

/** A log that is numbered within its tenant. */
interface Log {
  readonly table: 'event' | 'audit_event';
  /** The column that may be long. */
  readonly text: 'data' | 'changes';
  readonly isOf: (person: Person) => RawBuilder<boolean>;
}

const EVENTS: Log = {
  table: 'event',
  text: 'data',
  isOf: ({ id }) => sql<boolean>`(resource_id = ${id} or ${namesInJson(sql`data`, id)})`,
};

/** Those that no index finds, such as of an exception of the person. */
const OTHER_AUDIT_EVENTS: Log = {
  table: 'audit_event',
  text: 'changes',
  isOf: ({ tenant, id }) => sql<boolean>`(${namesInJson(sql`changes`, id)}
    and coalesce(resource_id, '') <> ${id} and coalesce(identity_id, '') <> ${id} and not exists (
      select 1 from audit_event_member as member where member.tenant = ${tenant}
        and member.sequence = audit_event.sequence and member.resource_id = ${id}))`,
};

/** The events that name the person, a few at a time. */
export const readEventRows = (reads: PersonReads): AsyncGenerator<readonly EventRow[]> =>
  readLog<EventRow>(reads, EVENTS);

/** The sequences of the audit events that the person has made, or that are found by its id, some at a time. */
export async function* readIndexedSequences({ read, pause, person }: PersonReads): AsyncGenerator<readonly number[]> {
  const { tenant, id } = person;
  for (let behind = 0; ; ) {
    await pause();
    const { rows } = await read((db) =>
      sql<{ readonly sequence: number }>`
        select sequence from audit_event where tenant = ${tenant} and resource_id = ${id} and sequence > ${behind}
        union select sequence from audit_event_member
          where tenant = ${tenant} and resource_id = ${id} and sequence > ${behind}
        union select sequence from audit_event where tenant = ${tenant} and identity_id = ${id} and sequence > ${behind}
        order by sequence limit ${sql.lit(ENTRIES_AT_ONCE)}`.execute(db),
    );
    const sequences = rows.map(({ sequence }) => sequence);
    yield sequences;
    const last = sequences.at(-1);
    if (last === undefined || sequences.length < ENTRIES_AT_ONCE) return;
    behind = last;
  }
}

/** The sequences of the other audit events that name the person, a few at a time. */
export async function* readOtherAuditSequences(reads: PersonReads): AsyncGenerator<readonly number[]> {
  for await (const rows of readOtherAuditRows(reads)) yield rows.map(({ sequence }) => sequence);
}

/** The other audit events that name the person, a few at a time. */
export const readOtherAuditRows = (reads: PersonReads): AsyncGenerator<readonly AuditEventRow[]> =>
  readLog<AuditEventRow>(reads, OTHER_AUDIT_EVENTS);

/** The entries of a log that name the person, up to the end that it has at the beginning. No index finds texts within entries. */
async function* readLog<Entry>({ read, pause, person }: PersonReads, log: Log): AsyncGenerator<readonly Entry[]> {
  const { tenant } = person;
  const table = sql.table(log.table);
  const text = sql.ref(log.text);
  const { rows: ends } = await read((db) =>
    sql<{ readonly last: number | null }>`select max(sequence) as last from ${table}
      where tenant = ${tenant}`.execute(db),
  );
  const end = Number(ends[0]?.last ?? 0);
  for (let behind = 0; behind < end; ) {
    await pause();
    // Neither engine reads the texts themselves for their sizes.
    const { rows: sizes } = await read((db) =>
      sql<{ readonly sequence: number; readonly size: number }>`
        select sequence, coalesce(octet_length(${text}), 0) as size from ${table}
        where tenant = ${tenant} and sequence > ${behind} and sequence <= ${end}
        order by sequence limit ${ENTRIES_AT_ONCE}`.execute(db),
    );
    for (const piece of inPieces(sizes, { sizeOf: ({ size }) => size, sizeMax: LENGTH_AT_ONCE })) {
      await pause();
      const first = piece[0]?.sequence;
      const last = piece.at(-1)?.sequence;
      const { rows } = await read((db) =>
        sql<Entry>`select * from ${table} where tenant = ${tenant} and sequence >= ${first} and sequence <= ${last}
          and ${log.isOf(person)} order by sequence`.execute(db),
      );
      yield rows;
    }
    behind = sizes.at(-1)?.sequence ?? end;
  }
}
