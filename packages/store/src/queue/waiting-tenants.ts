import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { TenantTurns, WaitingTenant } from '../engine/tenant-turns.ts';
import { countsAttempts, isClaimable, type LeasedTable } from './leased-table.ts';

/** A claim serves at most a hundred. */
const LISTED_MAX = 1_000;

/** The turns of the tenants whose rows of a table can be claimed. */
export const takeTurns = (database: Database, table: LeasedTable): TenantTurns =>
  database.takeTurns({
    arisesFrom: table.arisesFrom,
    listInTurn: (nowMs, servedLast) => read(database, listInTurn(table, nowMs, servedLast)),
    listAll: (nowMs) => read(database, listAll(table, nowMs)),
  });

interface WaitingRow {
  readonly tenant: string;
  readonly has_alone: number;
}

async function read(database: Database, query: RawBuilder<WaitingRow>): Promise<readonly WaitingTenant[]> {
  const { rows } = await database.readRepeated((db) => query.execute(db));
  return rows.map(({ tenant, has_alone }) => ({ tenant, hasAlone: has_alone === 1 }));
}

/** The tenants by name, those after the one that was served last first. */
const listInTurn = (table: LeasedTable, nowMs: number, servedLast: string): RawBuilder<WaitingRow> => sql`
  with recursive ${table.waiting === undefined ? stepThrough(table, nowMs, servedLast) : sort(table.waiting(nowMs), servedLast)}
  select tenant, ${asHasAlone(table, sql`${oneOf(table, nowMs, true)} is not null`)} from waiting
  where tenant is not null and ${oneOf(table, nowMs)} is not null limit ${LISTED_MAX}`;

/** Looks for one row of a tenant. PostgreSQL would join the rows of all tenants for an `exists`. */
const oneOf = (table: LeasedTable, nowMs: number, isAlone?: boolean) =>
  sql`(select 1 from ${claimableOf(table, nowMs, isAlone)} limit 1)`;

/** Steps from tenant to tenant through the index, so that its cost does not grow with the rows of a tenant. */
function stepThrough(table: LeasedTable, nowMs: number, servedLast: string): RawBuilder<unknown> {
  const pending = table.pending(nowMs, sql.ref(`${table.name}.tenant`));
  const next = (condition: RawBuilder<unknown>) => sql`
    select tenant from ${sql.table(table.name)} where ${pending} and ${condition} order by tenant limit 1`;
  return sql`
    later (tenant) as (
      select * from (${next(sql`tenant > ${servedLast}`)}) as first
      union all
      select (${next(sql`tenant > later.tenant`)}) from later where later.tenant is not null
    ),
    earlier (tenant) as (
      select * from (${next(sql`tenant <= ${servedLast}`)}) as first
      union all
      select (${next(sql`tenant > earlier.tenant and tenant <= ${servedLast}`)})
      from earlier where earlier.tenant is not null
    ),
    waiting as (select tenant from later union all select tenant from earlier)`;
}

const sort = (tenants: RawBuilder<unknown>, servedLast: string): RawBuilder<unknown> => sql`
  waiting as (select tenant from (${tenants}) as found order by tenant <= ${servedLast}, tenant)`;

/** Without recursion. The row of a tenant goes before that of its removal. */
const listAll = (table: LeasedTable, nowMs: number): RawBuilder<WaitingRow> => sql`
  select waiting.tenant, ${asHasAlone(table, sql`exists (select 1 from ${claimableOf(table, nowMs, true)})`)}
  from ${sql.table(table.id === 'tenant' ? table.name : 'tenant')} as waiting
  where exists (select 1 from ${claimableOf(table, nowMs)})`;

/** The rows of `waiting.tenant` that can be claimed. */
const claimableOf = (table: LeasedTable, nowMs: number, isAlone?: boolean) => sql`
  ${sql.table(table.name)} where ${sql.ref(`${table.name}.tenant`)} = waiting.tenant
    and ${isClaimable(table, nowMs, isAlone === undefined ? {} : { isAlone })}`;

const asHasAlone = (table: LeasedTable, condition: RawBuilder<unknown>) =>
  sql`${countsAttempts(table) ? sql`case when ${condition} then 1 else 0 end` : sql`0`} as has_alone`;
