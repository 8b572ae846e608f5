import type { NewEvent } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../engine/database.ts';
import { appendEvents, appendEventsOf, EVENT_COLUMNS, toEventColumns } from '../events/append-events.ts';
import type { ColumnType } from '../query/json-rows.ts';
import type { Tables } from '../schema/tables.ts';
import type { LeasedTable } from './leased-table.ts';
import { type ClaimedRow, raiseFence, updateHeld } from './statements.ts';

/** The ends of claims of one tenant. */
export interface Completion<Row extends ClaimedRow> {
  readonly tenant: string;
  /** The columns of the table that the ends set. */
  readonly columns: Readonly<Record<Exclude<keyof Row & string, keyof ClaimedRow>, ColumnType>>;
  /** In the order of their events. */
  readonly ends: readonly { readonly row: Row; readonly event: NewEvent }[];
}

/** Stores the ends of the claims that are the latest, with their events, all at once. Returns how many these are. */
export const complete = <Row extends ClaimedRow>(
  database: Database,
  table: LeasedTable,
  completion: Completion<Row>,
): Promise<number> =>
  database.chainsWrites
    ? database.writeStatement((db) => completeByStatement(db, table, completion))
    : database.writeIdempotent((trx) => completeInTransaction(trx, table, completion));

async function completeInTransaction<Row extends ClaimedRow>(
  trx: Transaction<Tables>,
  table: LeasedTable,
  { tenant, columns, ends }: Completion<Row>,
): Promise<number> {
  const update = { tenant, columns, rows: ends.map(({ row }) => row), set: assignmentsOf(table, columns) };
  const { rows } = await updateHeld<{ readonly id: string }>(trx, table, update).execute(trx);
  const ended = new Set(rows.map(({ id }) => id));
  const events = ends.flatMap(({ row, event }) => (ended.has(row.id) ? event : []));
  await appendEvents(trx, tenant, events);
  return ended.size;
}

/** A transaction would take four round trips more. */
async function completeByStatement<Row extends ClaimedRow>(
  db: Kysely<Tables>,
  table: LeasedTable,
  { tenant, columns, ends }: Completion<Row>,
): Promise<number> {
  const update = {
    tenant,
    columns: { ...columns, ...EVENT_COLUMNS },
    rows: ends.map(({ row, event }, place) => ({ ...row, ...toEventColumns(event, place) })),
    set: assignmentsOf(table, columns),
    returning: Object.keys(EVENT_COLUMNS).map((name) => sql.ref(`given.${name}`)),
  };
  const { rows } = await sql<{ readonly count: number }>`
    with ended as (${updateHeld(db, table, update)}), ${appendEventsOf(tenant, 'ended')}
    select count(*) as count from ended`.execute(db);
  return rows[0]?.count ?? 0;
}

const assignmentsOf = (table: LeasedTable, columns: object) => [
  ...Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`),
  raiseFence(table),
];
